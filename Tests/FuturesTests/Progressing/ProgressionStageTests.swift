// Stages: composed and mapped progressions.

import Futures
import FuturesTesting
import Testing

/// Counts to its limit.
private struct Walk: Progression {
    var passed = 0
    var limit = 3
    var failure: Int?

    func next() -> Deferred<Walk> {
        Deferred {
            if passed + 1 == failure { throw Oops(passed + 1) }
            return Walk(passed: passed + 1, limit: limit, failure: failure)
        }
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
    @Test func `observers are called for the stages of a mapped progression too`() {
        let results = Log<Int?>()
        let end = Walk(limit: 1).map { $0 * 10 }.flatMap { Walk(passed: $0, limit: 11) }
            .run(on: .immediate) { stage in
                results.add(stage.result)
                return true
            }
        #expect(end.success == 11)
        // Two stages of the first walk, the mapped result, and two stages of the second walk.
        #expect(results.entries == [nil, nil, nil, nil, 11])
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
}
