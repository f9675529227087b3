// Concurrent schedulers: what overlaps there, and what is in order. Contract/Schedulers.md

import Dispatch
import Futures
import Testing

@Suite struct ConcurrentSchedulerTests {
    @Test func `a callback that blocks delays no callback of another future, outside of schedulers and actors`() throws
    {
        let (gate, isBlocked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocked = Future(1).onValue { _ in
            isBlocked.signal()
            gate.wait()
        }
        #expect(isBlocked.wait(timeout: .testTimeout) == .success)
        #expect(try Future(1).map { $0 + 1 }.wait(timeout: testTimeout) == 2)
        #expect(try FutureQueue().run { 3 }.wait(timeout: testTimeout) == 3)
        gate.signal()
        try blocked.wait(timeout: testTimeout)
    }

    @Test func `a callback waits for those of its future before it, and not for what they lead to`() throws {
        let (source, other, gate) = (Promise<Int>(), Promise<Int>(), DispatchSemaphore(value: 0))
        let blocked = other.future.map(on: .background) { _ in gate.wait(timeout: .testTimeout) == .success }
        source.future.onValue(on: .background) { other.succeed($0) }
        source.future.onValue(on: .background) { _ in gate.signal() }
        source.succeed(1)
        #expect(try blocked.wait(timeout: testTimeout))
    }

    @Test func `a callback that blocks delays no other delay of the scheduler where it was attached`() throws {
        let blocked = Scheduler(label: "serial").sync {
            let other = Future(2).delay(by: .milliseconds(2))
            return Future(1).delay(by: .milliseconds(1)).map(on: .immediate) { _ in
                try other.wait(timeout: testTimeout)
            }
        }
        #expect(try blocked.wait(timeout: testTimeout) == 2)
    }

    @Test(arguments: [
        Scheduler.background, Scheduler(label: "concurrent", qos: .userInitiated, attributes: .concurrent),
    ])
    func `callbacks of one future are called one at a time, in the order in which they were attached`(
        scheduler: Scheduler
    ) throws {
        for completedAfter in [0, 1, 50, 100] {
            let (promise, log, inside) = (Promise<Int>(), Log<Int>(), AtomicCounter())
            var last = promise.future
            for index in 0..<100 {
                if index == completedAfter { promise.succeed(1) }
                last = promise.future.onValue(on: scheduler) { _ in
                    log.add(inside.up() == 1 ? index : -1)
                    inside.down()
                }
            }
            promise.succeed(1)
            try last.wait(timeout: testTimeout)
            #expect(log.entries == Array(0..<100))
        }
    }
}
