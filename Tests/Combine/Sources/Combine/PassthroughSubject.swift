// PassthroughSubject: sends what it is given to whoever has subscribed and demanded it.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private struct State {
        var subscriptions: [ObjectIdentifier: Conduit] = [:]
        var end: Subscribers.Completion<Failure>?
    }

    private let state = Guarded(State())

    public init() {}

    public func send(_ value: Output) {
        for conduit in state.with({ Array($0.subscriptions.values) }) { conduit.send(value) }
    }

    public func send(completion: Subscribers.Completion<Failure>) {
        let all = state.with { state in
            defer { state.subscriptions = [:] }
            state.end = state.end ?? completion
            return Array(state.subscriptions.values)
        }
        for conduit in all { conduit.finish(completion) }
    }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        let conduit = Conduit(AnySubscriber(subscriber)) { [weak self] conduit in
            let gone = self?.state.with { $0.subscriptions.removeValue(forKey: ObjectIdentifier(conduit)) }
            withExtendedLifetime(gone) {}
        }
        let end = state.with { state in
            if state.end == nil { state.subscriptions[ObjectIdentifier(conduit)] = conduit }
            return state.end
        }
        if let end {
            subscriber.receive(subscription: EmptySubscription())
            subscriber.receive(completion: end)
        } else {
            subscriber.receive(subscription: conduit)
        }
    }

    private final class Conduit: Subscription {
        private struct State {
            var downstream: AnySubscriber<Output, Failure>?
            var demand = Subscribers.Demand.none
        }

        private let state: Guarded<State>
        private let leave: (Conduit) -> Void

        init(_ downstream: AnySubscriber<Output, Failure>, leave: @escaping (Conduit) -> Void) {
            state = Guarded(State(downstream: downstream))
            self.leave = leave
        }

        func request(_ demand: Subscribers.Demand) { state.with { $0.demand += demand } }

        func cancel() {
            withExtendedLifetime(end()) {}
            leave(self)
        }

        func send(_ value: Output) {
            let downstream = state.with { state -> AnySubscriber<Output, Failure>? in
                guard state.demand > 0 else { return nil }
                state.demand -= 1
                return state.downstream
            }
            guard let more = downstream?.receive(value) else { return }
            state.with { $0.demand += more }
        }

        func finish(_ completion: Subscribers.Completion<Failure>) { end()?.receive(completion: completion) }

        private func end() -> AnySubscriber<Output, Failure>? {
            state.with { state in
                defer { state.downstream = nil }
                return state.downstream
            }
        }
    }
}
