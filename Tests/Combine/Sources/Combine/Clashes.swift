// The names that Futures has, too: to see how a file that imports both can tell them apart.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public final class Future<Output, Failure: Error>: Publisher {
    public typealias Promise = (Result<Output, Failure>) -> Void

    private let subject = PassthroughSubject<Output, Failure>()
    private let result = Guarded<Result<Output, Failure>?>(nil)

    public init(_ attemptToFulfill: @escaping (@escaping Future<Output, Failure>.Promise) -> Void) {
        attemptToFulfill { [subject, result] new in
            result.with { $0 = $0 ?? new }
            if case .success(let value) = new { subject.send(value) }
            subject.send(completion: new.completion)
        }
    }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        guard let result = result.with({ $0 }) else { return subject.receive(subscriber: subscriber) }
        let values = (try? result.get()).map { [$0] } ?? []
        subscriber.receive(subscription: Delivery(values, result.completion, to: subscriber))
    }
}

extension Result {
    fileprivate var completion: Subscribers.Completion<Failure> {
        switch self {
        case .success: .finished
        case .failure(let error): .failure(error)
        }
    }
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure

    public let createPublisher: () -> DeferredPublisher

    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}

public protocol Scheduler<SchedulerTimeType> {
    associatedtype SchedulerTimeType: Strideable
    func schedule(_ action: @escaping () -> Void)
}
