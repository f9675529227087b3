// Plain nodes: attach, complete, cancel, abandon, detach.

import Futures
import Testing

let plainScenarios = [
    Scenario("complete, attach") {
        let (promise, notes) = (Promise<Tracked>(), Notes())
        let future = promise.future
        return .init(
            threads: [
                { promise.succeed(Tracked(1)) },
                { future.onValue(on: .immediate) { notes.add("\($0.number)") } },
            ], check: { expect(notes.all, among: [["1"]]) })
    },
    Scenario("complete, complete") {
        let promise = Promise<Tracked>()
        let (future, notes) = (promise.future, Notes())
        future.onResult(on: .immediate) { _ in notes.add("called") }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { promise.succeed(Tracked(2)) }],
            check: { expect([outcome(future)] + notes.all, among: [["1", "called"], ["2", "called"]]) })
    },
    Scenario("complete, cancel a step") {
        let promise = Promise<Tracked>()
        let step = promise.future.map(on: .immediate) { Tracked($0.number + 1) }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { step.cancel() }],
            check: { expect([outcome(step)], among: [["2"], ["cancelled"]]) })
    },
    Scenario("complete, attach, attach", threads: 3) {
        let (promise, notes) = (Promise<Tracked>(), Notes())
        let future = promise.future
        let attach: @Sendable () -> Void = { future.onValue(on: .immediate) { notes.add("\($0.number)") } }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, attach, attach],
            check: { expect(notes.all, among: [["1", "1"]]) })
    },
    Scenario("complete, cancel one of two steps") {
        let promise = Promise<Tracked>()
        let steps = [1, 2].map { number in promise.future.map(on: .immediate) { Tracked($0.number + number) } }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { steps[0].cancel() }],
            check: { expect(steps.map(outcome), among: [["2", "3"], ["cancelled", "3"]]) })
    },
    Scenario("cancel both of two steps, complete", threads: 3) {
        let promise = Promise<Tracked>()
        let steps = [1, 2].map { number in promise.future.map(on: .immediate) { Tracked($0.number + number) } }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { steps[0].cancel() }, { steps[1].cancel() }],
            check: {
                expect(
                    steps.map(outcome),
                    among: [["2", "3"], ["cancelled", "3"], ["2", "cancelled"], ["cancelled", "cancelled"]])
            })
    },
    Scenario("complete, abandon") {
        let promise = Promise<Tracked>()
        let (first, second) = (Kept(promise), Kept(promise))
        let future = promise.future
        return .init(
            threads: [
                { first.take().succeed(Tracked(1)) },
                { _ = second.take() },
            ], check: { expect([outcome(future)], among: [["1"]]) })
    },
    Scenario("complete, release the last step") {
        let promise = Promise<Tracked>()
        let step = Kept(promise.future.map(on: .immediate) { Tracked($0.number + 1) })
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { _ = step.take() }],
            check: { expect([outcome(promise.future)], among: [["1"]]) })
    },
    Scenario("complete, read the result") {
        let promise = Promise<Tracked>()
        let (future, notes) = (promise.future, Notes())
        let step = future.map(on: .immediate) { Tracked($0.number + 1) }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { notes.add(outcome(future)) }],
            check: { expect([outcome(step)] + notes.all, among: [["2", "pending"], ["2", "1"]]) })
    },
]

extension ExplorationTests {
    @Suite struct Plain {
        @Test(arguments: names(of: plainScenarios))
        func `every order of the threads is right`(_ name: String) { check(name, plainScenarios) }
    }
}
