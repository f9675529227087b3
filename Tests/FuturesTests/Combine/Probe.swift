// Probes: a publisher and a subscriber that the test controls, and that record what is done to them.

#if canImport(Combine)

    import Combine
    import Futures

    /// A publisher whose every step the test controls.
    struct ProbePublisher<Failure: Error>: Publisher {
        typealias Output = Int

        final class Line: Subscription, Sendable {
            private let downstream: Shared<Downstream?>
            let cancels = Shared(0)

            /// The subscriber that receives its values; a struct, so that it can be shared.
            // Safe: the tests send to a subscriber from one thread at a time.
            struct Downstream: @unchecked Sendable {
                let subscriber: AnySubscriber<Int, Failure>
            }

            init(_ subscriber: AnySubscriber<Int, Failure>) { downstream = Shared(Downstream(subscriber: subscriber)) }

            func request(_ demand: Subscribers.Demand) {}

            /// Does not release the subscriber, so late values can be sent.
            func cancel() { cancels.increment() }

            func open() { downstream.value?.subscriber.receive(subscription: self) }
            func send(_ value: Int) { _ = downstream.value?.subscriber.receive(value) }
            func end(_ completion: Subscribers.Completion<Failure>) {
                downstream.value?.subscriber.receive(completion: completion)
            }
        }

        let lines = Log<Line>()
        func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Failure {
            let line = Line(AnySubscriber(subscriber))
            lines.add(line)
            line.open()
        }
    }

    /// A subscriber that records what it receives.
    final class ProbeSubscriber: Subscriber {
        typealias Input = Int
        typealias Failure = any Error

        private(set) var heard: [String] = []
        private(set) var subscription: (any Subscription)?

        func receive(subscription: any Subscription) {
            heard.append("subscription")
            self.subscription = subscription
            subscription.request(.unlimited)
        }

        func receive(_ input: Int) -> Subscribers.Demand {
            heard.append("\(input)")
            return .none
        }

        func receive(completion: Subscribers.Completion<any Error>) {
            switch completion {
            case .finished: heard.append("finished")
            case .failure(let error): heard.append(error is CancellationError ? "cancelled" : "\(error)")
            }
        }
    }
#endif
