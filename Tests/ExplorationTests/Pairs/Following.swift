// Futures that follow others: flatMap before and behind its closure, and chains that hand over their listeners.

import Futures

let followingSubjects = [
    Subject("a flatMap") {
        let (outer, inner, notes) = (Source(1), Source(2), Notes())
        let step = Consumed(inner.future.map(on: .immediate) { $0 })
        let future = Consumed(
            outer.future.flatMap(on: .immediate) { _ in
                notes.add("transformed")
                return step.future.value ?? Future(Tracked(3))
            })
        return .init(
            actions: [
                "complete": outer.complete, "fail": outer.fail, "complete the inner one": inner.complete,
                "abandon the inner one": inner.abandon, "attach": future.attach, "cancel": future.cancel,
                "visit": future.visit, "release": future.release, "attach to the inner one": step.attach,
                "visit the inner one": step.visit, "cancel the inner one": step.cancel,
                "release the inner one": step.release,
            ],
            outcome: {
                let states = [outer.summary, inner.summary]
                outer.end()
                inner.end()
                return states + [future.summary, step.summary, notes.count(of: "transformed")]
            })
    },
    Subject("a flatMap that waits for its inner future") {
        let inner = Source(2)
        let step = Consumed(inner.future.map(on: .immediate) { $0 })
        let future = Consumed(Future(Tracked(1)).flatMap(on: .immediate) { _ in step.future.value! })
        return .init(
            actions: [
                "complete": inner.complete, "fail": inner.fail, "abandon": inner.abandon, "attach": future.attach,
                "visit": future.visit, "cancel": future.cancel, "release": future.release, "read": future.read,
                "attach to the inner one": step.attach, "visit the inner one": step.visit,
                "cancel the inner one": step.cancel, "release the inner one": step.release,
            ],
            outcome: {
                let state = inner.summary
                inner.end()
                return [state, future.summary, step.summary]
            })
    },
    Subject("a chain that hands over") {
        let (outer, middle, inner) = (Source(1), Source(2), Source(3))
        let held = Variable<Consumed>()
        let future = Consumed(
            outer.future.flatMap(on: .immediate) { _ in
                let second = middle.future.flatMap(on: .immediate) { _ in inner.future }
                held.value = Consumed(second)
                return second
            })
        outer.complete()
        let second = held.value!
        held.value = nil
        return .init(
            actions: [
                "complete the middle one": middle.complete, "complete the inner one": inner.complete,
                "fail the inner one": inner.fail, "attach": future.attach, "cancel": future.cancel,
                "visit": future.visit, "release": future.release, "attach to a link": second.attach,
                "visit a link": second.visit, "cancel a link": second.cancel, "release a link": second.release,
                "read a link": second.read,
            ],
            outcome: {
                let states = [middle.summary, inner.summary]
                middle.end()
                inner.end()
                return states + [future.summary, second.summary]
            })
    },
    Subject("two chains of links that become one") {
        let (gate, last) = (Source(1), Source(2))
        let following = { (future: Future<Tracked>) in
            Future(Tracked(0)).flatMap(on: .immediate) { _ in future }
        }
        let middle = gate.future.flatMap(on: .immediate) { _ in last.future }
        // Links, as soon as something follows them: one to the step, one to the last future.
        let links = [following(middle), following(last.future)]
        let (first, second) = (Consumed(following(links[0])), Consumed(following(links[1])))
        let (early, late) = (Consumed(links[0]), Consumed(links[1]))
        return .init(
            actions: [
                "join the chains": gate.complete, "complete": last.complete, "attach": second.attach,
                "visit": second.visit, "cancel": second.cancel, "cancel the other end": first.cancel,
                "visit an early link": early.visit, "attach to a late link": late.attach,
                "visit a late link": late.visit, "release a late link": late.release,
            ],
            outcome: {
                let states = [gate.summary, last.summary]
                // Nothing but a listener that was attached can keep them from that.
                second.cancel()
                first.cancel()
                let atTheEnd = last.summary
                gate.end()
                last.end()
                // Not of the early link: whether it is cancelled depends on whether the chains could be joined.
                return states + [atTheEnd] + [first, second, late].map(\.summary)
            })
    },
    Subject("a future that is joined, and aborted by another one") {
        let (source, gate, signal) = (Source(1), Source(2), Source(3))
        let future = Consumed(
            join(source.future.map(on: .immediate) { $0 }, gate.future).map(on: .immediate) { $0.0 }
                .abort(forFutures: [signal.future]))
        return .init(
            actions: [
                "complete": source.complete, "complete the gate": gate.complete, "fail the gate": gate.fail,
                "abort": signal.complete, "attach": future.attach, "cancel": future.cancel, "release": future.release,
            ],
            ending: [source, gate, signal], future)
    },
]
