// PassthroughSubject: sends what it is given to those that have subscribed, whether they have demanded it or cancelled.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let subscribers = Guarded<[AnySubscriber<Output, Failure>]>([])

    public init() {}

    public func send(_ value: Output) {
        for subscriber in subscribers.with({ $0 }) { _ = subscriber.receive(value) }
    }

    public func send(completion: Subscribers.Completion<Failure>) {
        let all = subscribers.with { all in
            defer { all = [] }
            return all
        }
        for subscriber in all { subscriber.receive(completion: completion) }
    }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        subscribers.with { $0.append(AnySubscriber(subscriber)) }
        subscriber.receive(subscription: EmptySubscription())
    }
}
