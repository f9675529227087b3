// performWhile: work that runs while a future is pending. Contract/Time.md

import Futures
import FuturesTesting
import Testing

@Suite struct FuturePerformWhileTests {
    private let time = VirtualTime(), log = Log<String>(), promise = Promise<Int>()

    /// Work that logs when it starts and when it is disposed.
    @Sendable private func work() -> any Disposable { log.add("begins", returning: Disposer { log.add("ends") }) }

    @Test(arguments: ["value", "error", "abandonment", "cancel"])
    func `work runs while a future is pending, and is disposed before its listeners are called`(end: String) {
        var promise: Promise<Int>? = Promise()
        let performed = promise!.future.performWhile(on: .immediate, work).always(on: .immediate) { log.add("heard") }
        #expect(log.entries == ["begins"])
        switch end {
        case "value": promise?.succeed(1)
        case "error": promise?.fail(Oops(2))
        case "abandonment": promise = nil
        default: performed.cancel()
        }
        #expect(log.entries == ["begins", "ends", "heard"])
        #expect(performed.isCompleted)
    }

    @Test func `no work starts for a completed future`() {
        #expect(Future(1).performWhile(on: .immediate, work).success == 1)
        promise.future.performWhile(on: time.scheduler, delayBy: .seconds(2), work)
        let hopping = promise.future.performWhile(on: time.scheduler, work)
        promise.succeed(1)
        time.run()
        #expect(hopping.success == 1)
        time.advance(by: .seconds(2))
        #expect(log.entries == [])
        #expect(time.pendingCount == 0)
    }

    @Test func `delayed work starts when its delay expires`() {
        promise.future.performWhile(on: time.scheduler, delayBy: .seconds(2), work)
        time.advance(by: .seconds(1))
        #expect(log.entries == [])
        time.advance(by: .seconds(1))
        #expect(log.entries == ["begins"])
        promise.succeed(1)
        time.run()
        #expect(log.entries == ["begins", "ends"])
    }

    @Test func `work starts and stops on its scheduler`() {
        let places = Log<Bool>()
        for isCancelled in [false, true] {
            let promise = Promise<Int>()
            let performed = promise.future.performWhile(on: time.scheduler, delayBy: .seconds(-1)) {
                places.add(time.scheduler.isCurrent, returning: Disposer { places.add(time.scheduler.isCurrent) })
            }
            time.run()
            if isCancelled { performed.cancel() } else { promise.succeed(1) }
            #expect(performed.isCompleted)
            performed.onResult(on: time.scheduler) { _ in #expect(places.count.isMultiple(of: 2), "stops first") }
            time.run()
        }
        #expect(places.entries == [true, true, true, true])
    }
}
