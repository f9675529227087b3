// Publisher.future: the first value of a Combine publisher, as a future.

#if canImport(Combine)

    public import Combine

    extension Publisher where Output: Sendable {
        /// Returns a future of this publisher's first value.
        ///
        /// It fails with the publisher's error, or with ``FutureError/noElement`` if the publisher finishes without a
        /// value. The subscription is cancelled when the value has come or the future is cancelled. A repetition
        /// subscribes again.
        ///
        /// This subscribes before it returns; in code of an actor other than the main actor, once the actor is free.
        /// Repetitions subscribe in the same place: on the actor that this is called on, or else on the current scheduler.
        ///
        /// `isolation` is the caller's actor; keep the default.
        public func future(
            file: StaticString = #fileID, line: UInt = #line, isolation: (any Actor)? = #isolation
        ) -> Future<Output> {
            Future.first(of: AnyPublisher(self), .init(file, line: line), isolation)
        }
    }

    extension Future {
        fileprivate static func first<Failure>(
            of publisher: AnyPublisher<Value, Failure>, _ origin: FutureError.SourceLocation,
            _ isolation: (any Actor)?
        ) -> Future {
            // Safe, though publishers are not `Sendable`: it is only used on the scheduler or actor where it was passed
            // in.
            nonisolated(unsafe) let publisher = publisher
            let node = Node.operation(
                on: .inferred(from: isolation),
                { (completion: @escaping Completion) in
                    let subscriber = FirstSubscriber<Value, Failure>(completion)
                    publisher.subscribe(subscriber)
                    // Only the publisher retains the subscriber: if it releases that, the future is abandoned.
                    return Disposer { [weak subscriber] in subscriber?.leave() }
                }, origin)
            node.start(in: isolation)
            return Future(node: node)
        }
    }

    /// A subscriber that requests one value, and completes a future with it.
    // Safe, though subscriptions are not `Sendable`: Combine's documentation allows `cancel()` on any thread.
    private final class FirstSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
        private struct State {
            /// Set while it waits for the value.
            var subscription: (any Subscription)?
            /// Nil once it has completed or was cancelled.
            var completion: Future<Input>.Completion?
        }

        private let state: Locked<State>

        init(_ completion: @escaping Future<Input>.Completion) { state = Locked(State(completion: completion)) }

        func receive(subscription: any Subscription) {
            let isFirst = state.withLock { state in
                guard state.completion != nil, state.subscription == nil else { return false }
                state.subscription = subscription
                return true
            }
            if isFirst { subscription.request(.max(1)) } else { subscription.cancel() }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            leave()?(.success(input))
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            let complete = end().completion
            switch completion {
            case .finished: complete?(.failure(FutureError.noElement))
            case .failure(let error): complete?(.failure(error))
            }
        }

        /// Cancels the subscription; returns the completion, unless it was returned before.
        @discardableResult
        func leave() -> Future<Input>.Completion? {
            let old = end()
            old.subscription?.cancel()
            return old.completion
        }

        private func end() -> State {
            state.withLock { state in
                defer { state = State() }
                return state
            }
        }
    }

#endif
