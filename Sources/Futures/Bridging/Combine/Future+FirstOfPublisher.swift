// The first value of a publisher of Combine, as a future.

#if canImport(Combine)

    public import Combine

    extension Future {
        /// A future of the first value of `publisher`, to which it subscribes at once.
        ///
        /// It fails with the publisher's error, or with ``FutureError/noElement`` if that finishes without a value. Then, and
        /// when it has the value or is cancelled, it leaves the publisher. A repetition subscribes afresh: on the actor
        /// where the future was made, else on the scheduler that was current there.
        public init<P: Publisher>(
            first publisher: P, file: StaticString = #fileID, line: UInt = #line, isolation: (any Actor)? = #isolation
        ) where P.Output == Value {
            self.init(first: AnyPublisher(publisher), .init(file, line: line), isolation)
        }

        private init<Failure>(
            first publisher: AnyPublisher<Value, Failure>, _ origin: FutureError.Origin, _ isolation: (any Actor)?
        ) {
            // Safe, though publishers are not `Sendable`: it is subscribed to where it was given, and nowhere else.
            nonisolated(unsafe) let publisher = publisher
            let node = Node.operation(
                on: .inferred(from: isolation),
                { (completion: @escaping Completion) in
                    let subscriber = FirstSubscriber<Value, Failure>(completion)
                    publisher.subscribe(subscriber)
                    // The publisher alone holds it: when that lets go of it, the future is abandoned.
                    return Disposer { [weak subscriber] in subscriber?.leave() }
                }, origin)
            node.begin(in: isolation)
            self.init(node: node)
        }
    }

    extension Publisher where Output: Sendable {
        /// A future of the first value: `Future(first: self)`, for where `Future` could be Combine's as well.
        public func future(
            file: StaticString = #fileID, line: UInt = #line, isolation: (any Actor)? = #isolation
        ) -> Future<Output> {
            Future(first: self, file: file, line: line, isolation: isolation)
        }
    }

    /// Waits for one value.
    // Subscriptions are not `Sendable`, but may be cancelled from any thread, as Combine's documentation says.
    private final class FirstSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
        private enum State {
            /// Next is `subscribed` or `over`.
            case fresh(Future<Input>.Completion)
            /// Next is `over`.
            case subscribed(any Subscription, Future<Input>.Completion)
            /// It has a result, or was left.
            case over
        }

        private let state: Locked<State>

        init(_ completion: @escaping Future<Input>.Completion) { state = Locked(.fresh(completion)) }

        func receive(subscription: any Subscription) {
            let isFirst = state.withLock { state in
                guard case .fresh(let completion) = state else { return false }
                state = .subscribed(subscription, completion)
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

        /// Cancels the subscription; what is to be called with a result, if there was none.
        @discardableResult
        func leave() -> Future<Input>.Completion? {
            let (subscription, completion) = end()
            subscription?.cancel()
            return completion
        }

        private func end() -> (subscription: (any Subscription)?, completion: Future<Input>.Completion?) {
            state.withLock { state in
                defer { state = .over }
                return switch state {
                case .fresh(let completion): (nil, completion)
                case .subscribed(let subscription, let completion): (subscription, completion)
                case .over: (nil, nil)
                }
            }
        }
    }

#endif
