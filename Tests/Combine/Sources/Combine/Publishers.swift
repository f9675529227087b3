// Publishers: those that the bridge's tests and documents use.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The subscription to what sends nothing more.
final class EmptySubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
}

public struct Fail<Output, Failure: Error>: Publisher {
    public let error: Failure

    public init(error: Failure) { self.error = error }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: EmptySubscription())
        subscriber.receive(completion: .failure(error))
    }
}

public struct Empty<Output, Failure: Error>: Publisher {
    public let completeImmediately: Bool

    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: EmptySubscription())
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let receive: (AnySubscriber<Output, Failure>) -> Void

    public init<P: Publisher>(_ publisher: P) where Output == P.Output, Failure == P.Failure {
        receive = { publisher.receive(subscriber: $0) }
    }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        receive(AnySubscriber(subscriber))
    }
}

public final class Future<Output, Failure: Error>: Publisher {
    private let state = Guarded(
        (result: Result<Output, Failure>?.none, subscribers: [AnySubscriber<Output, Failure>]()))

    public init(_ attemptToFulfill: @escaping (@escaping (Result<Output, Failure>) -> Void) -> Void) {
        attemptToFulfill { result in
            let subscribers = self.state.with { state in
                state.result = result
                return state.subscribers
            }
            for subscriber in subscribers { self.send(result, to: subscriber) }
        }
    }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        let subscriber = AnySubscriber(subscriber)
        subscriber.receive(subscription: EmptySubscription())
        let result = state.with { state in
            if state.result == nil { state.subscribers.append(subscriber) }
            return state.result
        }
        if let result { send(result, to: subscriber) }
    }

    private func send(_ result: Result<Output, Failure>, to subscriber: AnySubscriber<Output, Failure>) {
        switch result {
        case .success(let value):
            _ = subscriber.receive(value)
            subscriber.receive(completion: .finished)
        case .failure(let error): subscriber.receive(completion: .failure(error))
        }
    }
}

/// The publisher of `first()` and of `handleEvents(receiveCancel:)`.
public struct Relayed<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    var takesFirst = false
    var receiveCancel: (() -> Void)?

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        upstream.subscribe(Relay(AnySubscriber(subscriber), self))
    }

    private final class Relay: Subscriber, Subscription {
        private let downstream: Guarded<AnySubscriber<Output, Failure>?>
        private let upstream = Guarded<(any Subscription)?>(nil)
        private let publisher: Relayed

        init(_ downstream: AnySubscriber<Output, Failure>, _ publisher: Relayed) {
            self.downstream = Guarded(downstream)
            self.publisher = publisher
        }

        func receive(subscription: any Subscription) {
            upstream.with { $0 = subscription }
            downstream.with { $0 }?.receive(subscription: self)
        }

        func request(_ demand: Subscribers.Demand) { upstream.with { $0 }?.request(demand) }

        func receive(_ input: Output) -> Subscribers.Demand {
            guard publisher.takesFirst else { return downstream.with { $0 }?.receive(input) ?? .none }
            let first = downstream.take()
            upstream.take()?.cancel()
            _ = first?.receive(input)
            first?.receive(completion: .finished)
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            upstream.with { $0 = nil }
            downstream.take()?.receive(completion: completion)
        }

        func cancel() {
            guard downstream.take() != nil else { return }
            publisher.receiveCancel?()
            upstream.take()?.cancel()
        }
    }
}

extension Publisher {
    public func first() -> Relayed<Self> { Relayed(upstream: self, takesFirst: true) }

    public func handleEvents(receiveCancel: (() -> Void)? = nil) -> Relayed<Self> {
        Relayed(upstream: self, receiveCancel: receiveCancel)
    }

    public func sink(
        receiveCompletion: @escaping ((Subscribers.Completion<Failure>) -> Void),
        receiveValue: @escaping ((Output) -> Void)
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}
