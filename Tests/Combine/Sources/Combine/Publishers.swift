// Publishers: those that the bridge's tests and documents use.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Sends its elements as they are demanded, and its end behind them.
final class Delivery<Downstream: Subscriber>: Subscription {
    private struct State {
        var downstream: Downstream?
        var rest: ArraySlice<Downstream.Input>
        var demand = Subscribers.Demand.none
        var isSending = false
    }

    private let state: Guarded<State>
    private let end: Subscribers.Completion<Downstream.Failure>

    init(
        _ elements: [Downstream.Input], _ end: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream
    ) {
        state = Guarded(State(downstream: downstream, rest: elements[...]))
        self.end = end
    }

    func request(_ demand: Subscribers.Demand) {
        let isMine = state.with { state in
            state.demand += demand
            defer { state.isSending = true }
            return !state.isSending
        }
        guard isMine else { return }
        while let (downstream, element) = next() {
            let more = downstream.receive(element)
            state.with { $0.demand += more }
        }
        if let downstream = finished() { downstream.receive(completion: end) }
    }

    private func next() -> (Downstream, Downstream.Input)? {
        state.with { state in
            guard let downstream = state.downstream, state.demand > 0, let element = state.rest.popFirst() else {
                state.isSending = false
                return nil
            }
            state.demand -= 1
            return (downstream, element)
        }
    }

    private func finished() -> Downstream? {
        state.with { state in
            guard state.rest.isEmpty else { return nil }
            defer { state.downstream = nil }
            return state.downstream
        }
    }

    func cancel() {
        let gone = state.with { state in
            defer { state.downstream = nil }
            return state.downstream
        }
        withExtendedLifetime(gone) {}
    }
}

/// The subscription to what sends nothing more.
final class EmptySubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
}

public struct Just<Output>: Publisher {
    public typealias Failure = Never
    public let output: Output

    public init(_ output: Output) { self.output = output }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: Delivery([output], .finished, to: subscriber))
    }
}

public struct Fail<Output, Failure: Error>: Publisher {
    public let error: Failure

    public init(error: Failure) { self.error = error }
    public init(outputType: Output.Type, failure: Failure) { error = failure }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: EmptySubscription())
        subscriber.receive(completion: .failure(error))
    }
}

public struct Empty<Output, Failure: Error>: Publisher {
    public let completeImmediately: Bool

    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.completeImmediately = completeImmediately
    }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: EmptySubscription())
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

public enum Publishers {
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        public typealias Output = Elements.Element
        public let sequence: Elements

        public init(sequence: Elements) { self.sequence = sequence }

        public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
            subscriber.receive(subscription: Delivery(Array(sequence), .finished, to: subscriber))
        }
    }
}

extension Sequence {
    public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
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

extension Publisher {
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

    public func sink(
        receiveCompletion: @escaping ((Subscribers.Completion<Failure>) -> Void),
        receiveValue: @escaping ((Output) -> Void)
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping ((Output) -> Void)) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
}
