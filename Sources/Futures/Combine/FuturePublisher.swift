// publisher: a future's result for Combine subscribers.

#if canImport(Combine)

    public import Combine

    extension Future {
        /// A publisher that sends this future's value and finishes, or fails with its error.
        ///
        ///     fetch(url).publisher.sink { _ in } receiveValue: { show($0) }
        ///
        /// Each subscription listens to the future, and is called on the scheduler that is current where it is made; in
        /// main-actor code, that is the main scheduler. The value waits for demand, an error does not. If the future is
        /// cancelled, the subscription fails with a `CancellationError`. Cancelling the subscription cancels the
        /// future, unless that has other listeners.
        public var publisher: some Publisher<Value, any Error> & Sendable { FuturePublisher(future: self) }
    }

    /// The publisher of a future's result.
    private struct FuturePublisher<Output: Sendable>: Publisher, Sendable {
        typealias Failure = any Error

        let future: Future<Output>

        /// Attaches `subscriber` to the future. It is called on the scheduler that is current here.
        func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == any Error {
            let subscription = FutureSubscription(of: AnySubscriber(subscriber), on: .current)
            subscriber.receive(subscription: subscription)
            subscription.listen(to: future)
        }
    }

    /// The subscription of one subscriber: a listener of the future.
    // Safe, though subscribers are not `Sendable`: a subscriber is only called on `scheduler`, where it has subscribed.
    // It may be released elsewhere.
    private final class FutureSubscription<Value: Sendable>: Subscription, Sendable {
        typealias Downstream = AnySubscriber<Value, any Error>

        private struct State {
            /// Nil once the subscription has completed or was cancelled.
            var downstream: Downstream?
            /// Set while it listens.
            var listener: Future<Value>?
        }

        private let state: Locked<State>
        private let demand = Promise<Void>()
        private let scheduler: Scheduler

        init(of downstream: Downstream, on scheduler: Scheduler) {
            state = Locked(State(downstream: downstream))
            self.scheduler = scheduler
        }

        func listen(to future: Future<Value>) {
            let demanded = demand.future
            let listener = future.flatMap(on: .inPlace) { value in demanded.map(on: .inPlace) { value } }
                .onResult(on: scheduler) { self.deliver($0) }
            let isWanted = state.withLock { state in
                guard state.downstream != nil else { return false }
                state.listener = listener
                return true
            }
            // Cancelled during the call: cancels the future as `cancel()` does. If it has completed, this does nothing.
            if !isWanted { listener.cancel() }
        }

        func request(_ demand: Subscribers.Demand) {
            if demand > .none { self.demand.succeed() }
        }

        func cancel() {
            end().listener?.cancel()
        }

        private func deliver(_ result: Result<Value, any Error>) {
            switch result {
            case .success(let value):
                _ = state.withLock { $0.downstream }?.receive(value)
                // Unless `receive` has cancelled the subscription.
                end().downstream?.receive(completion: .finished)
            case .failure(let error):
                end().downstream?.receive(completion: .failure(error))
            }
        }

        private func end() -> State {
            state.withLock { state in
                defer { state = State() }
                return state
            }
        }
    }

#endif
