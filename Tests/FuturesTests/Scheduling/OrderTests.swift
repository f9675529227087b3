// In which order callbacks run, and how much stack they use. Contract/Order.md

import Futures
import FuturesTesting
import Testing

@Suite struct OrderTests {
    @Test func `listeners are called depth first`() {
        let log = Log<String>()
        let promise = Promise<Int>()
        let other = Promise<Int>()
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
        #expect(log.entries == ["a", "a1", "a1x", "a2", "other", "a2x", "b"])
    }

    @Test
    func `a callback that needs no hop runs before the call that attaches it to a completed future returns`() {
        let here = Scheduler(label: "here")
        here.sync {
            let log = Log<String>()
            let future = Future(1)
            future.map { $0 + 1 }.flatMap { Future($0) }.onValue { log.add("\($0)") }
            log.add("attached")
            future.onValue(on: .immediate) {
                future.onValue { _ in log.add("inner") }
                log.add("outer \($0)")
            }
            #expect(log.entries == ["2", "attached", "inner", "outer 1"])
        }
    }

    /// How many callbacks nest before the next one waits for the one in progress. The number is a promise.
    static let nestingLimit = 16

    @Test func `beyond sixteen nested callbacks, the next one runs right after the current one returns`() {
        let log = Log<String>()
        let promise = Promise<Int>()
        @Sendable func nest(_ depth: Int) {
            guard depth <= Self.nestingLimit + 3 else { return }
            Future(depth).onValue(on: .immediate) {
                log.add("enter \($0)")
                nest($0 + 1)
                log.add("leave \($0)")
            }
        }
        promise.future.onValue(on: .immediate) { _ in nest(2) }
        promise.future.onValue(on: .immediate) { _ in log.add("all else") }
        promise.succeed(1)
        let limit = Self.nestingLimit
        let nested = (2...limit).map { "enter \($0)" } + ["leave \(limit)"]
        let inTurn = (limit + 1...limit + 3).flatMap { ["enter \($0)", "leave \($0)"] }
        let back = (2..<limit).reversed().map { "leave \($0)" }
        #expect(log.entries == nested + inTurn + back + ["all else"])
    }

    @Test func `a promise that a called callback retained is abandoned, also beyond sixteen nested callbacks`() {
        let log = Log<String>()
        @Sendable func nest(_ depth: Int) {
            Future(depth).onValue(on: .immediate) {
                guard $0 > Self.nestingLimit else { return nest($0 + 1) }
                let promise = Promise<Int>()
                promise.future.onError(on: .immediate) { _ in log.add("abandoned") }
                Future(0).onValue(on: .immediate) { _ in withExtendedLifetime(promise) {} }
            }
        }
        nest(1)
        #expect(log.entries == ["abandoned"])
    }

    @Test func `any number of callbacks that each complete the next future run on a small stack`() {
        let count = 100_000
        let last = Shared<Future<Int>?>(nil)
        let ended = onAnotherThread(stackSize: smallStack) {
            let promises = (0...count).map { _ in Promise<Int>() }
            for index in 0..<count {
                promises[index].future.onValue(on: .immediate) { promises[index + 1].succeed($0 + 1) }
            }
            last.value = promises[count].future
            promises[0].succeed(0)
        }
        #expect(ended)
        #expect(last.value?.success == count)
    }

    @Test func `any number of callbacks that each attach the next one run on a small stack`() {
        let count = 100_000
        let reached = Shared(0)
        let ended = onAnotherThread(stackSize: smallStack) {
            @Sendable func nest(_ depth: Int) {
                reached.value = depth
                guard depth < count else { return }
                Future(depth).onValue(on: .immediate) { nest($0 + 1) }
            }
            nest(0)
        }
        #expect(ended)
        #expect(reached.value == count)
    }
}
