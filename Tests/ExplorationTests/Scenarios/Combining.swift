// Combinations: their children complete while the combination is cancelled, completed or released.

import Futures

/// A combination of two futures as a future of one value.
private typealias Combine = @Sendable (Future<Tracked>, Future<Tracked>) -> Future<Tracked>

// The others are in pairs and triples.
private let combinations: [(name: String, combine: Combine, results: [String])] = [
    ("join", { a, b in join([a, b]).map(on: .immediate) { Tracked($0[0].number + $0[1].number) } }, ["3"]),
    ("select", { a, b in select(between: [a, b]) }, ["1", "2"]),
]

/// A child to which only the combination refers, so that its result is released as early as possible.
private func step(_ promise: Promise<Tracked>) -> Future<Tracked> { promise.future.map(on: .immediate) { $0 } }

/// Without a step, which could be cancelled after the combination has ended. A cancel that wins cancels both children;
/// one that comes too late leaves the other running.
private let leavingScenarios = [
    Scenario("join that leaves the other: end it, cancel") {
        let promises = [Promise<Tracked>(), Promise<Tracked>()]
        let other = step(promises[1])
        let combination = join([step(promises[0]), other], cancelNonCompleted: false)
        return .init(
            threads: [{ promises[0].fail(Failed()) }, { combination.cancel() }],
            check: {
                withExtendedLifetime(promises) {
                    let ended = combination.result.map { text($0.map { $0[0] }) } ?? "pending"
                    return expect(
                        [ended, outcome(other)], among: [["failed", "pending"], ["cancelled", "cancelled"]])
                }
            })
    }
]

/// A cancel may come while the second run attaches its listeners. That run is cancelled when it has done so, although
/// its combination leaves others running when it settles.
private let repeatedLeavingScenarios = [
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

private let children = combinations.flatMap { name, combine, results in
    [
        Scenario("\(name): complete both") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let future = combine(step(promises[0]), step(promises[1]))
            return .init(
                threads: [{ promises[0].succeed(Tracked(1)) }, { promises[1].succeed(Tracked(2)) }],
                check: { expect([outcome(future)], among: results.map { [$0] }) })
        },
        Scenario("\(name): complete both, cancel", threads: 3, limit: name == "join" ? 12_000 : 0) {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let future = combine(step(promises[0]), step(promises[1]))
            return .init(
                threads: [
                    { promises[0].succeed(Tracked(1)) }, { promises[1].succeed(Tracked(2)) }, { future.cancel() },
                ],
                check: { expect([outcome(future)], among: (results + ["cancelled"]).map { [$0] }) })
        },
        Scenario("\(name): complete the last, cancel") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let future = combine(step(promises[0]), step(promises[1]))
            if name == "join" { promises[0].succeed(Tracked(1)) }
            return .init(
                threads: [{ promises[1].succeed(Tracked(2)) }, { future.cancel() }],
                check: { expect([outcome(future)], among: [[results.last!], ["cancelled"]]) })
        },
        Scenario("\(name): complete the last, read a child") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let child = step(promises[1])
            let (future, notes) = (combine(step(promises[0]), child), Notes())
            if name == "join" { promises[0].succeed(Tracked(1)) }
            return .init(
                threads: [{ promises[1].succeed(Tracked(2)) }, { notes.add(outcome(child)) }],
                check: {
                    expect([outcome(future)] + notes.all, among: ["2", "pending"].map { [results.last!, $0] })
                })
        },
    ]
}

let combiningScenarios = children + leavingScenarios + repeatedLeavingScenarios
