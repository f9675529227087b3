// A serial scheduler's own queue of jobs: their order, and threads that several queues share. Contract/Schedulers.md

import Dispatch
import Futures
import Testing

@Suite struct SerialBackendTests {
    @Test func `a serial scheduler runs one job at a time, in first-in, first-out order`() {
        let scheduler = Scheduler(label: "line")
        let log = Log<Int>()
        let running = Shared(0)
        for number in 0..<5000 {
            scheduler.async {
                running.value += 1
                #expect(running.value == 1 && scheduler.isCurrent)
                log.add(number)
                running.value -= 1
            }
        }
        scheduler.sync {}
        #expect(log.entries == Array(0..<5000))
    }

    @Test func `sync runs after earlier jobs and before later ones`() {
        let scheduler = Scheduler(label: "line")
        let (log, gate) = (Log<String>(), DispatchSemaphore(value: 0))
        scheduler.async {
            gate.wait()
            log.add("before")
        }
        let (waits, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Scheduler.background.async {
            waits.signal()
            scheduler.sync { log.add("sync") }
            done.signal()
        }
        waits.wait()
        gate.signal()
        done.wait()
        scheduler.async { log.add("after") }
        scheduler.sync { log.add("idle") }
        #expect(log.entries == ["before", "sync", "after", "idle"])
    }
}

extension SerialBackendTests {
    @Test func `a scheduler continues while its thread runs another scheduler's callback`() throws {
        let (a, b) = (Scheduler(label: "a"), Scheduler(label: "b"))
        let (promise, signal) = (Promise<Int>(), DispatchSemaphore(value: 0))
        let inB = Promise<Void>()
        let result = promise.future.map(on: a) { $0 }.map(on: b) {
            // This runs on a's thread, so a job for a must find another thread now.
            inB.succeed()
            signal.wait()
            return $0
        }
        inB.future.onValue(on: a) { signal.signal() }
        promise.succeed(1)
        #expect(try result.wait(timeout: testTimeout) == 1)
    }
}
