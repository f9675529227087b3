// Combine under threads: demand, cancels and completions that race.

#if canImport(Combine)

    import Combine
    import Futures
    import Testing

    @Suite(.serialized) struct CombineThreadTests {
        private let rounds = 60

        @Test
        func `a subscription that is cancelled while the future completes receives all events or a prefix of them`() {
            for _ in 0..<rounds {
                let promise = Promise<Int>()
                let heard = Log<String>()
                let subscription = ThreadSubscriber.subscribe(to: promise.future, heard)
                race(
                    { promise.succeed(1) }, { subscription.request(.max(1)) }, { subscription.request(.unlimited) },
                    { subscription.cancel() })
                // By now, everything that was on its way to this scheduler has arrived.
                ThreadSubscriber.place.sync {}
                #expect(promise.future.isCompleted)
                #expect([[], ["1"], ["1", "finished"]].contains(heard.entries))
            }
        }

        @Test func `a publisher's future that is cancelled while values arrive has one value or none, and completes`() {
            for _ in 0..<rounds {
                // Safe: a subject forwards values from any thread.
                nonisolated(unsafe) let subject = PassthroughSubject<Int, Oops>()
                let first = subject.future()
                race(
                    { subject.send(1) }, { subject.send(2) }, { first.cancel() },
                    { subject.send(completion: .failure(Oops(3))) })
                switch first.result {
                case .success(let value): #expect([1, 2].contains(value))
                case .failure(let error): #expect(error is CancellationError || error is Oops)
                case nil: Issue.record("It is still pending.")
                }
            }
        }
    }

    /// A subscriber that records what it receives, and whose subscription any thread may use.
    private final class ThreadSubscriber: Subscriber {
        // Safe: the subscription of a future's publisher may be used from any thread, which is what is tested.
        struct Line: @unchecked Sendable {
            let subscription: any Subscription

            func request(_ demand: Subscribers.Demand) { subscription.request(demand) }
            func cancel() { subscription.cancel() }
        }

        private let heard: Log<String>
        private var line: Line?

        private init(_ heard: Log<String>) { self.heard = heard }

        static let place = Scheduler(label: "place")

        /// Subscribes so that it receives values on `place`.
        static func subscribe(to future: Futures.Future<Int>, _ heard: Log<String>) -> Line {
            let subscriber = ThreadSubscriber(heard)
            place.perform { future.publisher.subscribe(subscriber) }
            return subscriber.line!
        }

        func receive(subscription: any Subscription) { line = Line(subscription: subscription) }

        func receive(_ input: Int) -> Subscribers.Demand {
            heard.add("\(input)")
            return .none
        }

        func receive(completion: Subscribers.Completion<any Error>) {
            if case .finished = completion { heard.add("finished") } else { heard.add("failed") }
        }
    }

#endif
