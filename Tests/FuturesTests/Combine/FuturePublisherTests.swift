// publisher: subscribers of a future, and their cancellation. Contract/Dispatch.md

#if canImport(Combine)

    import Combine
    import Futures
    import Testing

    // Combine declares these names, too.
    private typealias Future = Futures.Future
    private typealias Scheduler = Futures.Scheduler

    @MainActor @Suite struct FuturePublisherTests {
        @Test func `a publisher of a future sends its value and finishes, or fails with its error`() {
            for isEarly in [true, false] {
                let (value, error) = (Promise<Int>(), Promise<Int>())
                let (first, second) = (ProbeSubscriber(), ProbeSubscriber())
                func complete() {
                    value.succeed(1)
                    error.fail(Oops(2))
                }
                if isEarly { complete() }
                value.future.publisher.subscribe(first)
                error.future.publisher.subscribe(second)
                if !isEarly {
                    #expect(first.heard == ["subscription"] && second.heard == ["subscription"])
                    complete()
                }
                #expect(first.heard == ["subscription", "1", "finished"])
                #expect(second.heard == ["subscription", "Oops(number: 2)"])
            }
            var sunk: [Int] = []
            let sink = Future(3).publisher.sink(receiveCompletion: { _ in sunk.append(0) }) { sunk.append($0) }
            #expect(sunk == [3, 0])
            sink.cancel()
        }

        @Test func `cancelling a subscription cancels the future, unless that has other listeners`() {
            let isStopped = Shared(false)
            let future = stoppable { isStopped.value = true }
            let (first, second) = (ProbeSubscriber(), ProbeSubscriber())
            future.publisher.subscribe(first)
            future.publisher.subscribe(second)
            future.cancel()
            #expect(!future.isCompleted, "they listen")
            first.subscription?.cancel()
            #expect(!future.isCompleted, "the second one listens")
            second.subscription?.cancel()
            #expect(future.isCancelled && isStopped.value)
            #expect(first.heard == ["subscription"] && second.heard == ["subscription"])
        }

        @Test func `a subscriber is called on the scheduler where it subscribed`() async {
            let (promise, place) = (Promise<Int>(), Promise<Scheduler>())
            let sink = promise.future.publisher.sink(receiveCompletion: { _ in }) { _ in
                MainActor.assertIsolated()
                place.succeed(.current)
            }
            let other = Scheduler(label: "other")
            let (elsewhere, cancel) = (Promise<Scheduler>(), Shared<(@Sendable () -> Void)?>(nil))
            other.sync { cancel.value = Self.subscribe(to: promise.future, elsewhere) }
            onAnotherThread { promise.succeed(1) }
            #expect(await place.future.arrival().success == .main)
            #expect(await elsewhere.future.arrival().success == other)
            cancel.value?()
            sink.cancel()
        }

        private nonisolated static func subscribe(
            to future: Future<Int>, _ place: Promise<Scheduler>
        ) -> @Sendable () -> Void {
            // Safe: a sink may be cancelled from any thread.
            nonisolated(unsafe) let sink = future.publisher.sink(
                receiveCompletion: { _ in }, receiveValue: { _ in place.succeed(.current) })
            return { sink.cancel() }
        }
    }

#endif
