// The order of callbacks, and their use of the stack. Contract/Schedulers.md

import Futures
import Testing

@Suite struct OrderTests {
    @Test func `listeners are called depth first`() {
        let (log, promise, other) = (Log<String>(), Promise<Int>(), Promise<Int>())
        other.future.onValue(on: .immediate) { _ in log.add("other") }
        let a = promise.future.onValue(on: .immediate) { _ in log.add("a") }
        let a1 = a.onValue(on: .immediate) { _ in log.add("a1") }
        a1.onValue(on: .immediate) { _ in log.add("a1x") }
        let a2 = a.flatMap(on: .immediate) { Future($0).onValue(on: .immediate) { _ in log.add("a2") } }
        a2.onValue(on: .immediate) { _ in
            other.succeed(1)
            log.add("a2x")
        }
        promise.future.onValue(on: .immediate) { _ in log.add("b") }
        promise.succeed(1)
        #expect(log.entries == ["a", "a1", "a1x", "a2", "a2x", "other", "b"])
    }

    @Test func `a callback that needs no hop runs before the outermost call of the library on the thread returns`() {
        let here = Scheduler(label: "here")
        here.sync {
            let (log, future) = (Log<String>(), Future(1))
            future.map { $0 + 1 }.flatMap { Future($0) }.onValue { log.add("\($0)") }
            log.add("attached")
            future.onValue(on: .immediate) {
                future.onValue { _ in log.add("inner") }
                log.add("outer \($0)")
            }
            #expect(log.entries == ["2", "attached", "outer 1", "inner"])
        }
    }

    @Test func `a callback of a completed future is not called if the callback that attaches it cancels it`() {
        let log = Log<String>()
        call {
            let future = Future(1).onValue(on: .immediate) { _ in log.add("called") }
            log.add(future.isCompleted ? "completed" : "pending")
            future.cancel()
        }
        #expect(log.entries == ["pending"])
    }

    @Test func `any number of callbacks that each attach the next one run on a small stack`() {
        let count = 100_000
        let reached = Shared(0)
        onSmallStack {
            @Sendable func nest(_ depth: Int) {
                reached.value = depth
                guard depth < count else { return }
                Scheduler(label: "other").sync { _ = Future(depth).onValue(on: .immediate) { nest($0 + 1) } }
            }
            nest(0)
        }
        #expect(reached.value == count)
    }

    @Test func `an endless recursion of completed futures can be cancelled`() {
        let (began, ended) = (Signal(), Signal())
        @Sendable func loop(_ object: Census.Counted, _ step: Int) -> Future<Int> {
            Future(step).flatMap(on: .immediate) { step in
                if step == 1000 { began.send() }
                return loop(object, step + 1)
            }
        }
        let start = Promise<Void>()
        let all = start.future.flatMap(on: Scheduler(label: "endless")) { loop(Census().make { ended.send() }, 0) }
        start.succeed()
        #expect(began.comes())
        all.cancel()
        #expect(all.isCancelled)
        // Its closures were released, so the recursion has stopped.
        #expect(ended.comes())
    }
}
