// Following: nodes that settle with the result of another future, and hand over their listeners.

import Futures

let followingScenarios = [
    Scenario("flatMap: complete both") {
        let (outer, inner) = (Promise<Tracked>(), Promise<Tracked>())
        let future = outer.future.flatMap(on: .immediate) { _ in inner.future }
        return .init(
            threads: [{ outer.succeed(Tracked(1)) }, { inner.succeed(Tracked(2)) }],
            check: { expect([outcome(future)], among: [["2"]]) })
    },
    Scenario("flatMap: complete the outer one, attach") {
        let (outer, inner, notes) = (Promise<Tracked>(), Promise<Tracked>(), Notes())
        let future = outer.future.flatMap(on: .immediate) { _ in inner.future }
        return .init(
            threads: [{ outer.succeed(Tracked(1)) }, { future.onValue(on: .immediate) { notes.add("\($0.number)") } }],
            check: {
                inner.succeed(Tracked(2))
                return expect([outcome(future)] + notes.all, among: [["2", "2"]])
            })
    },
    Scenario("flatMap: complete the outer one, cancel") {
        let (outer, notes, kept) = (Promise<Tracked>(), Notes(), Variable<Future<Tracked>.Completion>())
        let inner = Kept(
            Future<Tracked>(on: .immediate) { completion in
                kept.value = completion
                return Disposer { notes.add("disposed") }
            })
        let future = outer.future.flatMap(on: .immediate) { _ in
            notes.add("called")
            return inner.take()
        }
        return .init(
            threads: [{ outer.succeed(Tracked(1)) }, { future.cancel() }],
            check: {
                let all = [outcome(future)] + notes.all
                // The operation's own closure retains this.
                kept.value = nil
                // If the closure was called, what it has returned is cancelled.
                return expect(all, among: [["cancelled", "called", "disposed"], ["cancelled"]])
            })
    },
    Scenario("flatMap: complete the inner one, cancel, and keep the future") {
        let (outer, inner, before) = (Promise<Tracked>(), Promise<Tracked>(), Tracked.count)
        let future = outer.future.flatMap(on: .immediate) { _ in
            let kept = Tracked(2)
            return inner.future.map(on: .immediate) { _ in Tracked(kept.number) }
        }
        outer.succeed(Tracked(1))
        return .init(
            threads: [{ inner.succeed(Tracked(1)) }, { future.cancel() }],
            check: {
                // What the closure has returned is released, with what its own closure has captured.
                let sources = [outer.future, inner.future]
                let kept = Tracked.count - before - sources.count { !["cancelled", "pending"].contains(outcome($0)) }
                return expect([outcome(future), "\(kept)"], among: [["2", "1"], ["cancelled", "0"]])
            })
    },
    Scenario("flatMap of flatMap: complete, cancel a listener") {
        let (outer, middle, inner) = (Promise<Tracked>(), Promise<Tracked>(), Promise<Tracked>())
        let future = outer.future.flatMap(on: .immediate) { _ in
            middle.future.flatMap(on: .immediate) { _ in inner.future }
        }
        let steps = [1, 2].map { number in future.map(on: .immediate) { Tracked($0.number + number) } }
        outer.succeed(Tracked(1))
        return .init(
            threads: [{ middle.succeed(Tracked(1)) }, { steps[0].cancel() }],
            check: {
                inner.succeed(Tracked(1))
                return expect(steps.map(outcome), among: [["2", "3"], ["cancelled", "3"]])
            })
    },
    Scenario("two chains of links become one: complete, attach to a link and leave it", limit: 5000) {
        let (gate, last) = (Promise<Tracked>(), Promise<Tracked>())
        func following(_ future: Future<Tracked>) -> Future<Tracked> {
            Future(Tracked(0)).flatMap(on: .immediate) { _ in future }
        }
        let middle = gate.future.flatMap(on: .immediate) { _ in last.future }
        let links = [following(middle), following(last.future)]
        // Now both are links, one to `middle`, one to the last future.
        let ends = links.map(following)
        return .init(
            threads: [{ gate.succeed(Tracked(1)) }, { links[1].map(on: .immediate) { _ in }.cancel() }],
            check: {
                for end in ends { end.cancel() }
                return expect([outcome(last.future)], among: [["cancelled"]])
            })
    },
    Scenario("a disposer: dispose, dispose") {
        let notes = Notes()
        let disposer = Disposer { notes.add("disposed") }
        return .init(
            threads: [{ disposer.dispose() }, { disposer.dispose() }],
            check: { expect(notes.all, among: [["disposed"]]) })
    },
]
