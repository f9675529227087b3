// publisher: a future's result for subscribers of Combine.

#if canImport(Combine)

    public import Combine

    extension Future {
        /// A publisher of this future's value and its end, or of its error.
        ///
        ///     fetch(url).publisher.sink { end in … } receiveValue: { show($0) }
        ///
        /// Each subscription listens to the future, and hears of it on the scheduler that is current where it is made: on
        /// the main one, if that is in main-actor code. The value waits for demand, an error does not. A cancelled
        /// future fails the subscription with a `CancellationError`. Cancelling a subscription leaves the future, which is
        /// cancelled then, unless somebody else listens to it.
        public var publisher: FuturePublisher<Value> { FuturePublisher(future: self) }
    }

    /// What a future publishes: ``Future/publisher``.
    public struct FuturePublisher<Output: Sendable>: Publisher, Sendable {
        /// What a future fails with.
        public typealias Failure = any Error

        fileprivate let future: Future<Output>

        /// Begins to listen for `subscriber`.
        public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == any Error {
            let subscription = FutureSubscription(of: AnySubscriber(subscriber), on: .current)
            subscriber.receive(subscription: subscription)
            subscription.listen(to: future)
        }
    }

    /// One subscriber's listening.
    // Subscribers are not `Sendable`. One is called on `scheduler` only, where it has subscribed, but for its release.
    private final class FutureSubscription<Value: Sendable>: Subscription, Sendable {
        typealias Downstream = AnySubscriber<Value, any Error>

        private enum State {
            /// Not listening yet. Next is `listening` or `over`.
            case fresh(Downstream)
            /// Next is `over`.
            case listening(Downstream, Future<Value>)
            /// It has been told the end, or was cancelled.
            case over
        }

        private let state: Locked<State>
        private let demand = Promise<Void>()
        private let scheduler: Scheduler

        init(of downstream: Downstream, on scheduler: Scheduler) {
            state = Locked(.fresh(downstream))
            self.scheduler = scheduler
        }

        func listen(to future: Future<Value>) {
            let demanded = demand.future
            let listener = future.flatMap(on: .immediate) { value in demanded.map(on: .immediate) { value } }
                .onResult(on: scheduler) { self.deliver($0) }
            let isWanted = state.withLock { state in
                guard case .fresh(let downstream) = state else { return false }
                state = .listening(downstream, listener)
                return true
            }
            // Cancelled meanwhile: as if it had listened. Or over, and then this does nothing.
            if !isWanted { listener.cancel() }
        }

        func request(_ demand: Subscribers.Demand) {
            if demand > .none { self.demand.succeed() }
        }

        func cancel() {
            if case .listening(_, let listener) = end() { listener.cancel() }
        }

        private func deliver(_ result: Result<Value, any Error>) {
            switch result {
            case .success(let value):
                _ = downstream(in: state.withLock { $0 })?.receive(value)
                // Unless it has cancelled at that.
                downstream(in: end())?.receive(completion: .finished)
            case .failure(let error):
                downstream(in: end())?.receive(completion: .failure(error))
            }
        }

        private func end() -> State {
            state.withLock { state in
                defer { state = .over }
                return state
            }
        }

        private func downstream(in state: State) -> Downstream? {
            switch state {
            case .fresh(let downstream), .listening(let downstream, _): downstream
            case .over: nil
            }
        }
    }

#endif
