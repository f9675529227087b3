// Schedulers of queues that are not the library's: event loops, pools. Contract/Schedulers.md

import Dispatch
import Futures
import Testing

@Suite struct ExecutionQueueTests {
    @Test func `a scheduler of a queue of one's own runs callbacks on it, in first-in, first-out order`() throws {
        let loop = ThreadLoop()
        let (scheduler, log, promise) = (Scheduler(queue: loop), Log<Int>(), Promise<Int>())
        let futures = (0..<100).map { number in
            promise.future.map(on: scheduler) { _ in
                #expect(loop.isCurrent && scheduler.isCurrent && Scheduler.current == scheduler)
                log.add(number)
            }
        }
        promise.succeed(1)
        try join(futures).wait(timeout: testTimeout)
        #expect(log.entries == Array(0..<100))
        #expect(scheduler.description == "Scheduler(loop)")
    }

    @Test func `callbacks do not hop between schedulers whose queues have the same identifying object`() throws {
        struct View: ExecutionQueue {
            let loop: ThreadLoop
            var identifyingObject: AnyObject { loop }
            var label: String { "view" }
            var isSerial: Bool { true }
            var isCurrent: Bool { loop.isCurrent }
            func async(_ work: @escaping @Sendable () -> Void) { loop.async(work) }
        }
        let loop = ThreadLoop()
        let (a, b) = (Scheduler(queue: loop), Scheduler(queue: View(loop: loop)))
        #expect(a == b && a.hashValue == b.hashValue)
        #expect(a != Scheduler(queue: ThreadLoop()))
        let log = Log<String>()
        a.async {
            a.async { log.add("hop") }
            Future(1).onValue(on: b) { _ in log.add("in place") }
        }
        while log.count < 2 { a.sync {} }
        #expect(log.entries == ["in place", "hop"])
    }

    @Test func `code that the queue runs by itself counts as running on the scheduler`() {
        let loop = ThreadLoop()
        let scheduler = Scheduler(queue: loop)
        let (log, done) = (Log<String>(), DispatchSemaphore(value: 0))
        loop.async {
            #expect(scheduler.isCurrent)
            Future(1).onValue(on: scheduler) { _ in log.add("in place") }
            log.add("after")
            scheduler.perform { #expect(Scheduler.current == scheduler) }
            done.signal()
        }
        done.wait()
        #expect(log.entries == ["in place", "after"])
    }

    @Test func `sync runs its closure on the queue's thread, and returns its value or throws its error`() {
        let loop = ThreadLoop()
        let scheduler = Scheduler(queue: loop)
        var count = 0
        #expect(
            scheduler.sync { () -> Bool in
                count += 1; return loop.isCurrent
            })
        #expect(throws: Oops(3)) { try scheduler.sync { throw Oops(3) } }
        #expect(scheduler.sync { scheduler.sync { loop.isCurrent } }, "A nested sync runs in place.")
        #expect(count == 1)
        loop.shutDown()
        #expect(scheduler.sync { 5 } == 5)
    }

    @Test func `what a queue releases without calling it runs on a serial queue of the library`() throws {
        let loop = ThreadLoop()
        let scheduler = Scheduler(queue: loop)
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        loop.async {
            begun.signal()
            gate.wait()
        }
        begun.wait()
        let running = Shared(0)
        let futures = (0..<100).map { number in
            Future(number).map(on: scheduler) { number in
                #expect(running.increment() == 1 && Scheduler.current == scheduler && !loop.isCurrent)
                running.change { $0 -= 1 }
                return number
            }
        }
        loop.shutDown()
        #expect(try join(futures).wait(timeout: testTimeout) == Array(0..<100))
        #expect(try Future(7).map(on: scheduler) { $0 }.wait(timeout: testTimeout) == 7)
        gate.signal()
    }

    @Test func `the library's timers measure the delays and timeouts on its scheduler`() throws {
        let loop = ThreadLoop()
        let (scheduler, called) = (Scheduler(queue: loop), Promise<Bool>())
        scheduler.async(after: .milliseconds(1)) { called.succeed(loop.isCurrent) }
        #expect(try called.future.wait(timeout: testTimeout))
        let late = Future(1).delay(by: .milliseconds(1), on: scheduler).map(on: scheduler) { _ in loop.isCurrent }
        #expect(try late.wait(timeout: testTimeout))
        #expect(timeLimit { try Future<Int>.never.timeout(after: .milliseconds(1), on: scheduler).wait() } != nil)
    }
}
