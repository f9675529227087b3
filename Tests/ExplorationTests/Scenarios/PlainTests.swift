// Plain nodes: attach, complete, cancel, abandon, detach.

import Futures
import Testing

let plainScenarios = [
    Scenario("complete, complete") {
        let promise = Promise<Tracked>()
        let (future, notes) = (promise.future, Notes())
        future.onResult(on: .immediate) { _ in notes.add("called") }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { promise.succeed(Tracked(2)) }],
            check: { expect([outcome(future)] + notes.all, among: [["1", "called"], ["2", "called"]]) })
    },
    Scenario("complete, attach, attach", threads: 3) {
        let (promise, notes) = (Promise<Tracked>(), Notes())
        let future = promise.future
        let attach: @Sendable () -> Void = { future.onValue(on: .immediate) { notes.add("\($0.number)") } }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, attach, attach],
            check: { expect(notes.all, among: [["1", "1"]]) })
    },
]

extension ExplorationTests {
    @Suite struct Plain {
        @Test(arguments: names(of: plainScenarios))
        func `every order of the threads is right`(_ name: String) { check(name, plainScenarios) }
    }
}
