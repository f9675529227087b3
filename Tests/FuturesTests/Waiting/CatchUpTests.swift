// The work that a thread does before it blocks in a wait. Contract/Waiting.md

import Futures
import Testing

@Suite struct CatchUpTests {
    private static let ways: [@Sendable (@escaping @Sendable () -> Int?) -> Int?] = [
        { $0() },
        { wait in Scheduler(label: "other").sync { wait() } },
        { wait in Scheduler(label: "other").perform { wait() } },
        { wait in Scheduler(label: "other").sync { Scheduler(label: "third").sync { wait() } } },
        { wait in
            let result = Shared<Int?>(nil)
            // The callback runs behind this one, or in the wait.
            Future(1).onValue(on: .immediate) { _ in result.value = wait() }
            return result.value ?? wait()
        },
    ]

    @Test func `a wait runs the callbacks to which the callbacks in progress have led`() {
        let log = Log<Int?>()
        let ended = onAnotherThread {
            call {
                for way in Self.ways {
                    let future = Future(1).map(on: .immediate) { $0 + 1 }.flatMap(on: .immediate) { Future($0 + 1) }
                    log.add(way { try? future.wait(timeout: testTimeout) })
                }
            }
        }
        #expect(ended)
        #expect(log.entries == Self.ways.map { _ in 3 })
    }

    @Test func `while a callback waits, later listeners are called only if its future needs them`() {
        let log = Log<String>()
        let elsewhere = Promise<Void>()
        let promise = Promise<Int>()
        let needed = Shared<Future<Int>?>(nil)
        promise.future.onValue(on: .immediate) { _ in
            log.add("a waits for another thread")
            Future().delay(by: .milliseconds(1), on: .background).onValue(on: .background) { elsewhere.succeed() }
            _ = try? elsewhere.future.wait(timeout: testTimeout)
            log.add("a waits for d")
            log.add((try? needed.value?.wait(timeout: testTimeout)) == 2 ? "a has it" : "a hangs")
        }
        promise.future.onValue(on: .immediate) { _ in log.add("b") }
        promise.future.onValue(on: .immediate) { _ in log.add("c") }
        let d = promise.future.map(on: .immediate) {
            log.add("d")
            return $0 + 1
        }
        needed.value = select(d, or: Future<Int>.never).map(on: .immediate) { _ in 2 }
        promise.future.onValue(on: .immediate) { _ in log.add("e") }
        onAnotherThread { promise.succeed(1) }
        #expect(log.entries == ["a waits for another thread", "a waits for d", "b", "c", "d", "a has it", "e"])
    }

    @Test func `many callbacks that wait for other threads run on a small stack`() {
        let count = 2000
        let heard = Shared(0)
        onSmallStack {
            call {
                let promise = Promise<Int>()
                for _ in 0..<count {
                    promise.future.onValue(on: .immediate) { value in
                        let other = Future(on: .background, immediate: { value })
                        if (try? other.wait(timeout: testTimeout)) == 1 { heard.increment() }
                    }
                }
                promise.succeed(1)
                // The callbacks run here, each inside the wait of another.
                _ = try? Future(on: .background, immediate: { 1 }).wait(timeout: testTimeout)
            }
        }
        #expect(heard.value == count)
    }
}
