// Combinations: their children complete while the combination is cancelled, completed or released.

import Futures
import Testing

/// A combination of two futures as a future of one value.
private typealias Combine = @Sendable (Future<Tracked>, Future<Tracked>) -> Future<Tracked>

private let combinations: [(name: String, combine: Combine)] = [
    ("join", { a, b in join([a, b]).map(on: .immediate) { Tracked($0[0].number + $0[1].number) } }),
    ("tuple", { a, b in join(a, b).map(on: .immediate) { Tracked($0.0.number + $0.1.number) } }),
    (
        "settle",
        { a, b in Future.settle([a, b]).map(on: .immediate) { try Tracked($0[0].get().number + $0[1].get().number) } }
    ),
    ("select", { a, b in select(between: [a, b]) }),
    ("firstSuccess", { a, b in Future.firstSuccess(of: [a, b]) }),
    ("first", { a, b in Future.first(1, of: [a, b]).map(on: .immediate) { $0[0] } }),
]

/// A child to which only the combination refers, so that its result is released as early as possible.
private func step(_ promise: Promise<Tracked>) -> Future<Tracked> { promise.future.map(on: .immediate) { $0 } }

/// The results that a combination may have if its children complete with 1 and 2.
private func results(of name: String) -> [String] {
    ["join", "tuple", "settle"].contains(name) ? ["3"] : ["1", "2"]
}

/// A combination that leaves the other running: what cancels it, and how it ended. Without a step, which could be
/// cancelled after the combination has ended.
private struct Leaving: Sendable {
    let cancel: @Sendable () -> Void
    let outcome: @Sendable () -> String

    init<T>(_ future: Future<T>, tracked: @escaping @Sendable (T) -> Tracked) {
        cancel = { future.cancel() }
        outcome = { future.result.map { text($0.map(tracked)) } ?? "pending" }
    }
}

private typealias Leave = @Sendable (Future<Tracked>, Future<Tracked>) -> Leaving

private let leaving: [(name: String, combine: Leave, end: @Sendable (Promise<Tracked>) -> Void, outcome: String)] = [
    ("join", { a, b in Leaving(join([a, b], cancelNonCompleted: false)) { $0[0] } }, { $0.fail(Failed()) }, "failed"),
    (
        "select", { a, b in Leaving(select(between: [a, b], cancelNonCompleted: false)) { $0 } },
        { $0.succeed(Tracked(1)) }, "1"
    ),
    (
        "select of two", { a, b in Leaving(select(a, or: b, cancelNonCompleted: false)) { $0.any } },
        { $0.succeed(Tracked(1)) }, "1"
    ),
]

let leavingScenarios = leaving.flatMap { name, combine, end, ended in
    [
        // A cancel that wins cancels both children; one that comes too late leaves the other running.
        Scenario("\(name) that leaves the other: end it, cancel") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let other = step(promises[1])
            let combination = combine(step(promises[0]), other)
            return .init(
                threads: [{ end(promises[0]) }, { combination.cancel() }],
                check: {
                    withExtendedLifetime(promises) {
                        expect(
                            [combination.outcome(), outcome(other)],
                            among: [[ended, "pending"], ["cancelled", "cancelled"]])
                    }
                })
        },
        Scenario("\(name) that leaves the other: end it and cancel the other, cancel") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let (other, notes) = (step(promises[1]), Notes())
            let combination = combine(step(promises[0]), other)
            return .init(
                threads: [
                    {
                        end(promises[0])
                        if combination.outcome() == ended { notes.add(other.cancel() ? "left" : "kept") }
                    },
                    { combination.cancel() },
                ],
                check: {
                    withExtendedLifetime(promises) {
                        expect(
                            [combination.outcome(), outcome(other)] + notes.all,
                            among: [[ended, "cancelled", "left"], ["cancelled", "cancelled"]])
                    }
                })
        },
    ]
}

/// A cancel may come while the second run attaches its listeners. That run is cancelled when it has done so, although
/// its combination leaves others running when it settles.
let repeatedLeavingScenarios = [
    Scenario("join that leaves the other, repeated: fail the first run, cancel") {
        let notes = Notes()
        let kept = [Variable<Future<Tracked>.Completion>(), Variable<Future<Tracked>.Completion>()]
        @Sendable func child(_ index: Int) -> Future<Tracked> {
            Future(on: .immediate) { completion in
                guard kept[index].value != nil else {
                    kept[index].value = completion
                    return Disposer {}
                }
                notes.add("begun")
                // Kept, so that the operation is not abandoned.
                return Disposer { withExtendedLifetime(completion) { notes.add("disposed") } }
            }
        }
        let future = join([child(0), child(1)], cancelNonCompleted: false)
            .repeatedInPlace(maxRepetitions: 1)
        return .init(
            threads: [{ kept[0].value?(.failure(Failed())) }, { future.cancel() }],
            check: {
                for completion in kept { completion.value = nil }
                return expect(
                    [notes.count(of: "begun"), notes.count(of: "disposed")],
                    among: (0...2).map { ["begun: \($0)", "disposed: \($0)"] })
            })
    }
]

let combiningScenarios = combinations.flatMap { name, combine in
    [
        Scenario("\(name): complete both") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let future = combine(step(promises[0]), step(promises[1]))
            return .init(
                threads: [{ promises[0].succeed(Tracked(1)) }, { promises[1].succeed(Tracked(2)) }],
                check: { expect([outcome(future)], among: results(of: name).map { [$0] }) })
        },
        Scenario("\(name): complete both, cancel", threads: 3, limit: name == "join" ? 12_000 : 0) {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let future = combine(step(promises[0]), step(promises[1]))
            return .init(
                threads: [
                    { promises[0].succeed(Tracked(1)) }, { promises[1].succeed(Tracked(2)) }, { future.cancel() },
                ],
                check: { expect([outcome(future)], among: (results(of: name) + ["cancelled"]).map { [$0] }) })
        },
        Scenario("\(name): complete the last, cancel") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let future = combine(step(promises[0]), step(promises[1]))
            if results(of: name) == ["3"] { promises[0].succeed(Tracked(1)) }
            return .init(
                threads: [{ promises[1].succeed(Tracked(2)) }, { future.cancel() }],
                check: {
                    let expected = results(of: name) == ["3"] ? "3" : "2"
                    return expect([outcome(future)], among: [[expected], ["cancelled"]])
                })
        },
        Scenario("\(name): complete the last, read a child") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let child = step(promises[1])
            let (future, notes) = (combine(step(promises[0]), child), Notes())
            if results(of: name) == ["3"] { promises[0].succeed(Tracked(1)) }
            return .init(
                threads: [{ promises[1].succeed(Tracked(2)) }, { notes.add(outcome(child)) }],
                check: {
                    let expected = results(of: name) == ["3"] ? "3" : "2"
                    return expect([outcome(future)] + notes.all, among: [[expected, "2"], [expected, "pending"]])
                })
        },
    ]
}

private let allScenarios = combiningScenarios + leavingScenarios + repeatedLeavingScenarios

extension ExplorationTests {
    @Suite struct Combining {
        @Test(arguments: names(of: allScenarios))
        func `every order of the threads is right`(_ name: String) {
            check(name, allScenarios)
        }
    }
}
