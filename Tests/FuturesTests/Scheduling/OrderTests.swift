// The order of callbacks, and their use of the stack. Contract/Schedulers.md

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

    /// The number of callbacks that nest before the next one waits for the one in progress. The contract guarantees it.
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

    /// Ways to run code in a callback.
    private static let ways: [@Sendable (() -> Void) -> Void] = [
        { $0() },
        { body in Scheduler.background.perform { body() } },
        { body in Scheduler(label: "other").sync { body() } },
    ]

    @Test(arguments: ways.indices)
    func `any number of callbacks that each attach the next one run on a small stack`(way: Int) {
        let (count, run) = (100_000, Self.ways[way])
        let reached = Shared(0)
        let ended = onAnotherThread(stackSize: smallStack) {
            @Sendable func nest(_ depth: Int) {
                reached.value = depth
                guard depth < count else { return }
                run { Future(depth).onValue(on: .immediate) { nest($0 + 1) } }
            }
            nest(0)
        }
        #expect(ended)
        #expect(reached.value == count)
    }

    /// Attaches a callback that attaches the next one, and so on.
    @Sendable private static func recur(_ count: Int) {
        if count > 0 { Future().onValue(on: .immediate) { recur(count - 1) } }
    }

    @Test(arguments: [0] + nestings)
    func `a hop does not wait for a callback that comes before it, nor for all that this attaches`(depth: Int) {
        let other = Scheduler(label: "other")
        let missing = Log<String>()
        @Sendable func check(_ name: String, _ body: (Promise<Int>) -> Void) {
            let (promise, signal) = (Promise<Int>(), Signal())
            // Retained, so that returning callbacks have nothing to release.
            let first = promise.future.onValue(on: .immediate) { _ in Self.recur(300) }
            let second = promise.future.onValue(on: other) { _ in signal.send() }
            body(promise)
            if !signal.comes() { missing.add(name) }
            withExtendedLifetime((first, second)) {}
        }
        onAnotherThread {
            nest(depth) {
                check("in the first callback") { $0.succeed(1) }
                check("behind others") {
                    Self.recur(300)
                    $0.succeed(1)
                }
                let disposing = (
                    Future<Int>(on: .immediate) { completion in
                        Disposer {
                            Self.recur(300)
                            completion(.success(1))
                        }
                    },
                    Future<Int>(on: .immediate) { completion in
                        Disposer {
                            check("in the second disposer") { $0.succeed(1) }
                            completion(.success(1))
                        }
                    }
                )
                // Beyond the limit, these have not started.
                if depth < 15 { join(disposing.0, disposing.1).cancel() }
            }
        }
        #expect(missing.entries == [])
    }

    /// Something that takes so many callbacks that those in progress are made to return.
    enum Many: CaseIterable {
        case operations, recursion, repetition

        func make() -> @Sendable () -> Void {
            switch self {
            case .operations:
                let (queue, gate) = (FutureQueue<Void>(), Promise<Void>())
                queue.on(.immediate).enqueue { gate.future }
                for _ in 0..<10_000 { queue.on(.immediate).run {} }
                return { gate.succeed() }
            case .recursion:
                @Sendable func count(to end: Int) -> Future<Void> {
                    Future(end).flatMap(on: .immediate) { $0 == 0 ? Future() : count(to: $0 - 1) }
                }
                return { count(to: 1000).onValue(on: .immediate) {} }
            case .repetition:
                let run = Future<Void>(on: .immediate, immediate: {})
                return { run.onValueRepeat(on: .immediate, maxRepetitions: 1000).onValue(on: .immediate) {} }
            }
        }
    }

    @Test(arguments: Many.allCases.flatMap { many in ways.indices.map { (many, $0) } }, [1, 2, 5, 15, 16, 20])
    func `listeners are called in their order, also when callbacks in progress are made to return`(
        _ kind: (many: Many, way: Int), depth: Int
    ) {
        let (promise, log) = (Promise<Void>(), Log<Int>())
        let (work, run) = (kind.many.make(), Self.ways[kind.way])
        promise.future.onValue(on: .immediate) {
            log.add(1)
            work()
        }
        for number in [2, 3] { promise.future.onValue(on: .immediate) { log.add(number) } }
        inCallbacks(depth) {
            promise.succeed()
            run { promise.future.onValue(on: .immediate) { log.add(4) } }
        }
        #expect(log.entries == [1, 2, 3, 4])
    }

    @Test(arguments: [0, 1, 5, 15], [4095, 4096, 4097])
    func `operations start in their order, also when callbacks in progress are made to return`(depth: Int, count: Int) {
        let (queue, log) = (FutureQueue<Void>(maxConcurrentCount: 2), Log<Int>())
        let (gate, other) = (Promise<Void>(), Promise<Void>())
        queue.on(.immediate).enqueue { gate.future }
        queue.on(.immediate).enqueue { other.future }
        inCallbacks(depth) {
            for number in 1...count { queue.on(.immediate).run { log.add(number) } }
            gate.succeed()
            other.succeed()
            queue.on(.immediate).run { log.add(count + 1) }
        }
        let isInOrder = log.entries == Array(1...count + 1)
        #expect(isInOrder)
    }
}

/// Calls `body` in the innermost of `depth` nested callbacks.
private func inCallbacks(_ depth: Int, _ body: @escaping @Sendable () -> Void) {
    if depth == 0 { body() } else { Future().onValue(on: .immediate) { inCallbacks(depth - 1, body) } }
}
