// Releasing: results that are read by one thread, and released early by another one.

import Futures

/// A step whose result may be released early, as a repetition could run it again.
private func step(_ promise: Promise<Tracked>) -> Future<Tracked> { promise.future.map(on: .immediate) { $0 } }

let releasingScenarios = [
    Scenario("a step of a step: complete, read the first one and release it") {
        let (promise, notes) = (Promise<Tracked>(), Notes())
        let first = step(promise)
        let second = first.map(on: .immediate) { Tracked($0.number + 1) }
        let reader = Kept(first)
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { notes.add(outcome(reader.take())) }],
            check: { expect([outcome(second)] + notes.all, among: [["2", "pending"], ["2", "1"]]) })
    },
    Scenario("join: complete both, release it, and a child's step on a third thread", workers: 1) {
        let promises = [Promise<Tracked>(), Promise<Tracked>()]
        let child = step(promises[0])
        let other = child.map(on: Scheduler(label: "explored")) { Tracked($0.number + 1) }
        let future = Kept(join([child, step(promises[1])]))
        return .init(
            threads: [
                { promises[0].succeed(Tracked(1)) },
                {
                    promises[1].succeed(Tracked(2))
                    _ = future.take()
                },
            ], check: { expect([outcome(other)], among: [["2"]]) })
    },
    Scenario("join with a link: complete both, release it, and a step on a third thread", workers: 1) {
        let promises = [Promise<Tracked>(), Promise<Tracked>()]
        let inner = step(promises[0])
        let other = inner.map(on: Scheduler(label: "explored")) { Tracked($0.number + 1) }
        let link = Future(Tracked(0)).flatMap(on: .immediate) { _ in inner }
        // Takes the place of the link behind `inner`.
        let kept = Kept(link)
        let last = Future(Tracked(0)).flatMap(on: .immediate) { _ in kept.take() }
        let future = Kept(join([link, step(promises[1])]))
        return .init(
            threads: [
                { promises[0].succeed(Tracked(1)) },
                {
                    promises[1].succeed(Tracked(2))
                    _ = future.take()
                },
            ], check: { expect([outcome(other), outcome(last)], among: [["2", "1"]]) })
    },
    Scenario("a future and its link: attach to both, complete") {
        let (outer, middle, inner) = (Promise<Tracked>(), Promise<Tracked>(), Promise<Tracked>())
        let (held, notes) = (Variable<Future<Tracked>>(), Notes())
        let future = outer.future.flatMap(on: .immediate) { _ in
            let second = middle.future.flatMap(on: .immediate) { _ in inner.future }
            held.value = second
            return second
        }
        outer.succeed(Tracked(1))
        let link = Kept(held.value!)
        held.value = nil
        return .init(
            threads: [
                { middle.succeed(Tracked(1)) },
                { link.take().onValue(on: .immediate) { notes.add("link: \($0.number)") } },
            ],
            check: {
                inner.succeed(Tracked(3))
                return expect([outcome(future)] + notes.all, among: [["3", "link: 3"]])
            })
    },
]
