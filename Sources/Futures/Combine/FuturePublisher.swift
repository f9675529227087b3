// publisher, future(): a future's result for Combine subscribers, and the first value of a publisher as a future.

#if canImport(Combine)

    public import Combine

    extension Future {
        /// A publisher that sends this future's value and finishes, or fails with its error.
        ///
        ///     fetch(url).publisher.sink { _ in } receiveValue: { show($0) }
        ///
        /// Each subscription listens to the future, and receives its result on the scheduler that is current where it is
        /// made; in main-actor code, that is the main scheduler. If the future is cancelled, the subscription fails with
        /// a `CancellationError`. Cancelling the subscription cancels the future, unless that has other listeners.
        public var publisher: some Publisher<Value, any Error> {
            Combine.Deferred {
                let listener = Locked<Future?>(nil)
                return Combine.Future<Value, any Error> { promise in
                    // Safe: Combine's documentation allows a promise to be called by any thread.
                    nonisolated(unsafe) let promise = promise
                    let future = onResult(on: .current) { promise($0) }
                    listener.withLock { $0 = future }
                }
                .handleEvents(receiveCancel: { listener.withLock { $0.take() }?.cancel() })
            }
        }
    }

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
            // Safe, though publishers are not `Sendable`: it is only used on the scheduler or actor where it was passed
            // in.
            nonisolated(unsafe) let publisher = AnyPublisher(self).first()
            let node = Node.operation(
                on: .inferred(from: isolation),
                { (completion: @escaping Future<Output>.Completion) in
                    let sink = Subscribers.Sink<Output, Failure>(
                        receiveCompletion: { end in
                            if case .failure(let error) = end { completion(.failure(error)) }
                            // Ignored behind a value.
                            completion(.failure(FutureError.noElement))
                        },
                        receiveValue: { completion(.success($0)) })
                    publisher.subscribe(sink)
                    // Safe: Combine's documentation allows `cancel()` on any thread.
                    nonisolated(unsafe) let leave: () -> Void = { [weak sink] in sink?.cancel() }
                    return Disposer { leave() }
                }, FutureError.SourceLocation(file, line: line))
            node.start(in: isolation)
            return Future(node: node)
        }
    }

#endif
