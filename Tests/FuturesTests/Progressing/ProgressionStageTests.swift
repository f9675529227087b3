// Stages: composition, steps in place, and mapped progressions. Contract/Progression.md

import Futures
import FuturesTesting
import Testing

/// Counts in place.
private struct Walk: SteppingProgression, Equatable {
    var passed = 0
    var limit = 3
    var failure: Int?

    mutating func step() throws {
        passed += 1
        if passed == failure { throw Oops(passed) }
    }

    var result: Int? { passed == limit ? passed : nil }
}

/// Waits for a gate, once.
private struct Gated: Progression {
    let gate: Future<Int>
    var result: Int?
    func next() -> Deferred<Gated> {
        Deferred.following { gate }.map { Gated(gate: gate, result: $0) }
    }
}

@Suite struct ProgressionStageTests {
    @Test func `the description of a step does not change the stage`() {
        let stage = Walk()
        let next = stage.next()
        #expect(next.start(on: .immediate).success == Walk(passed: 1))
        #expect(next.start(on: .immediate).success == Walk(passed: 1))
        #expect(stage == Walk())
        #expect(Walk(failure: 1).next().start(on: .immediate).error as? Oops == Oops(1))
        #expect(stage.run(on: .immediate).success == 3)
        #expect(stage == Walk())
    }

    @Test func `a stage can be mapped in place and shows the original stage`() throws {
        let mapped = Walk().map { "\($0)" }
        #expect(mapped.result == nil)
        guard case .running(Walk(passed: 0)) = mapped.stage else { throw Oops() }
        let next = try #require(mapped.next().start(on: .immediate).success)
        guard case .running(Walk(passed: 1)) = next.stage else { throw Oops() }
        // The result takes a separate stage.
        let last = try #require(Walk(passed: 3).map { "\($0)" }.next().start(on: .immediate).success)
        guard case .completed("3") = last.stage else { throw Oops() }
        #expect(last.result == "3")
        let chained = Walk(passed: 3).flatMap { Walk(limit: $0 + 2) }
        #expect(chained.result == nil)
        let second = try #require(chained.next().start(on: .immediate).success)
        guard case .second(Walk(passed: 0, limit: 5)) = second.stage else { throw Oops() }
        #expect(second.result == nil && second.run(on: .immediate).success == 5)
    }

    @Test func `observers are called for the stages of a mapped progression too`() {
        let log = Log<String>()
        let end = Walk(limit: 1).map { $0 * 10 }.flatMap { Walk(passed: $0, limit: 11) }
            .run(on: .immediate) { stage in
                switch stage.stage {
                case .first(let first):
                    switch first.stage {
                    case .running(let walk): log.add("running \(walk.passed)")
                    case .completed(let number): log.add("completed \(number)")
                    }
                case .second(let walk): log.add("second \(walk.passed)")
                }
                return true
            }
        #expect(end.success == 11)
        #expect(log.entries == ["running 0", "running 1", "completed 10", "second 10", "second 11"])
    }

    @Test func `the closures of compose may throw, and so may the inner stage`() {
        struct Never: Progression {
            var result: Int? { nil }
            func next() -> Deferred<Never> { Deferred(error: Oops(0)) }
        }
        let stage = Walk(limit: 1)
        let next = stage.compose(
            transformNext: { _ -> Never in throw Oops(1) }, transformResult: { _ -> Never in throw Oops(2) })
        #expect(next.start(on: .immediate).error as? Oops == Oops(1))
        let direct = Walk(passed: 1, limit: 1).compose(
            transformNext: { _ -> Never in throw Oops(1) }, transformResult: { _ -> Never in throw Oops(2) })
        #expect(direct.start(on: .immediate).error as? Oops == Oops(2))
        let deferred = Walk(passed: 1, limit: 1).compose(
            transformNext: { _ -> Never in throw Oops(1) }, transformResult: { _ -> Deferred<Never> in throw Oops(3) })
        #expect(deferred.start(on: .immediate).error as? Oops == Oops(3))
        let inside = Walk(limit: 2, failure: 1).compose(
            transformNext: { _ in Never() }, transformResult: { _ in Never() })
        #expect(inside.start(on: .immediate).error as? Oops == Oops(1))
    }

    @Test func `the handler of a cancelled run is not called`() {
        let (gate, calls) = (Promise<Int>(), Shared(0))
        let end = Gated(gate: gate.future).execute(on: .immediate) { _ in calls.increment() }
        end.cancel()
        gate.succeed(1)
        #expect(end.isCancelled && calls.value == 0)
        let other = Promise<Int>()
        let done = Gated(gate: other.future).execute(on: .immediate) { try $0() + calls.increment() }
        other.succeed(1)
        #expect(done.success == 2)
        let thrown = Gated(gate: Future(1)).execute(on: .immediate) { _ in throw Oops(4) }
        #expect(thrown.error as? Oops == Oops(4))
    }

    @Test(arguments: [false, true])
    func `a run of many stages yields to other work regularly`(_ isStepping: Bool) {
        struct Hop: Progression {
            let walk: Walk
            var result: Int? { walk.result }
            func next() -> Deferred<Hop> { walk.next().map { Hop(walk: $0) } }
        }
        let time = VirtualTime()
        let (asked, turns) = (Shared(0), Log<Int>())
        @Sendable func other() {
            turns.add(asked.value)
            if turns.count < 1000, asked.value < 10_000 { time.scheduler.async { other() } }
        }
        let walk = Walk(limit: 10_000)
        let ask: @Sendable () -> Bool = { asked.increment() > 0 }
        let end =
            isStepping
            ? walk.run(on: time.scheduler) { _ in ask() } : Hop(walk: walk).run(on: time.scheduler) { _ in ask() }
        time.scheduler.async { other() }
        time.run()
        #expect(end.success == 10_000 && asked.value == 10_001)
        // It yields often, but not after each stage.
        #expect(turns.count >= 9 && turns.count < 200)
    }
}
