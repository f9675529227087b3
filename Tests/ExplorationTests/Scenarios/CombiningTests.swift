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
        { a, b in settle([a, b]).map(on: .immediate) { try Tracked($0[0].get().number + $0[1].get().number) } }
    ),
    ("select", { a, b in select(between: [a, b]) }),
    ("firstSuccess", { a, b in firstSuccess(of: [a, b]) }),
    ("first", { a, b in first(1, of: [a, b]).map(on: .immediate) { $0[0] } }),
]

/// A child to which only the combination refers, so that its result is released as early as possible.
private func step(_ promise: Promise<Tracked>) -> Future<Tracked> { promise.future.map(on: .immediate) { $0 } }

/// The results that a combination may have if its children complete with 1 and 2.
private func results(of name: String) -> [String] {
    ["join", "tuple", "settle"].contains(name) ? ["3"] : ["1", "2"]
}

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
        Scenario("\(name): complete the last, release") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let future = Kept(combine(step(promises[0]), step(promises[1])))
            promises[0].succeed(Tracked(1))
            return .init(
                threads: [{ promises[1].succeed(Tracked(2)) }, { _ = future.take() }], check: { nil })
        },
        Scenario("\(name): fail one, complete one") {
            let promises = [Promise<Tracked>(), Promise<Tracked>()]
            let future = combine(step(promises[0]), step(promises[1]))
            return .init(
                threads: [{ promises[0].fail(Failed()) }, { promises[1].succeed(Tracked(2)) }],
                check: { expect([outcome(future)], among: [["failed"], ["2"]]) })
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

extension ExplorationTests {
    @Suite struct Combining {
        @Test(arguments: names(of: combiningScenarios))
        func `every order of the threads is right`(_ name: String) { check(name, combiningScenarios) }
    }
}
