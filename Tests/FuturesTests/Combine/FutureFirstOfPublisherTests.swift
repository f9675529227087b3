// publisher.future(): its first value, and the end of the subscription. Contract/Dispatch.md

#if canImport(Combine)

    import Combine
    import Futures
    import Testing

    // Combine declares these names, too.
    private typealias Future = Futures.Future
    private typealias Scheduler = Futures.Scheduler

    @MainActor @Suite struct FutureFirstOfPublisherTests {
        @Test func `a future of a publisher has its first value and then cancels the subscription`() {
            let publisher = ProbePublisher<Never>()
            let first = publisher.future()
            let line = publisher.lines.entries[0]
            #expect(!first.isCompleted)
            line.send(1)
            #expect(line.cancels.value == 1)
            line.send(2)
            line.end(.finished)
            #expect(first.success == 1)
            #expect(line.cancels.value == 1)
            let subject = PassthroughSubject<Int, Oops>()
            let future = subject.future()
            subject.send(3)
            subject.send(completion: .failure(Oops()))
            #expect(future.success == 3)
        }

        @Test func `a publisher that fails, or finishes without a value, fails its future`() {
            #expect(Fail<Int, Oops>(error: Oops(1)).future().error as? Oops == Oops(1))
            #expect(Empty<Int, Never>().future().error as? FutureError == .noElement)
            let publisher = ProbePublisher<Oops>()
            let (one, two) = (publisher.future(), publisher.future())
            publisher.lines.entries[0].end(.failure(Oops(2)))
            publisher.lines.entries[0].send(5)
            publisher.lines.entries[1].end(.finished)
            #expect(one.error as? Oops == Oops(2))
            #expect(two.error as? FutureError == .noElement)
        }

        @Test func `cancelling the future cancels its subscription, and later values are ignored`() {
            let publisher = ProbePublisher<Never>()
            let first = publisher.future()
            let line = publisher.lines.entries[0]
            first.cancel()
            #expect(line.cancels.value == 1)
            line.send(1)
            line.end(.finished)
            #expect(first.isCancelled)
            #expect(line.cancels.value == 1)
        }
    }

#endif
