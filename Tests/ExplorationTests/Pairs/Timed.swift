// Timers: time limits, delays and repetitions, whose timers fire while they are cancelled and completed.

import Futures

let timedSubjects = [
    Subject("a future with a time limit") {
        let source = Source()
        let future = Consumed(source.future.map(on: .immediate) { $0 }.timeout(after: .seconds(1), on: .immediate))
        return .init(
            actions: [
                "complete": source.complete, "fail": source.fail, "abandon": source.abandon,
                "let time pass": letTimePass,
                "attach": future.attach, "cancel": future.cancel, "release": future.release,
            ],
            ending: [source], future)
    },
    Subject("a delay") {
        let source = Source()
        let future = Consumed(source.future.delay(by: .seconds(1), on: .immediate))
        return .init(
            actions: [
                "complete": source.complete, "fail": source.fail, "let time pass": letTimePass,
                "attach": future.attach, "cancel": future.cancel, "release": future.release,
            ],
            outcome: {
                source.end()
                letTimePass()
                return [future.summary]
            })
    },
    Subject("a repetition after a delay") {
        let sources = [Source(1), Source(2)]
        let future = Consumed(
            firstRun(of: sources)
                .repeatedInPlace(delayBetweenRepetitions: .seconds(1), maxRepetitions: 1))
        return .init(
            actions: [
                "complete": sources[0].complete, "fail": sources[0].fail, "let time pass": letTimePass,
                "complete the repetition": sources[1].complete, "attach": future.attach, "cancel": future.cancel,
                "release": future.release,
            ],
            outcome: {
                sources[0].end()
                letTimePass()
                sources[1].end()
                return [future.summary]
            })
    },
    Subject("a hedged future") {
        let sources = [Source(1), Source(2)]
        let future = Consumed(firstRun(of: sources).hedgedInPlace(after: .seconds(1)))
        return .init(
            actions: [
                "complete": sources[0].complete, "fail": sources[0].fail, "let time pass": letTimePass,
                "complete the second run": sources[1].complete, "attach": future.attach, "cancel": future.cancel,
                "release": future.release,
            ],
            ending: sources, future)
    },
    Subject("two timers") {
        let notes = Notes()
        let first = Scheduler.immediate.async(after: .seconds(1)) { notes.add("first") }
        let second = Scheduler.immediate.async(after: .seconds(2)) { notes.add("second") }
        return .init(
            actions: [
                "let time pass": letTimePass, "dispose the first": { first.dispose() },
                "dispose the second": { second.dispose() },
                "start an earlier one": { Scheduler.immediate.async(after: .zero) { notes.add("earlier") } },
                "start a later one": { Scheduler.immediate.async(after: .seconds(3)) { notes.add("later") } },
            ],
            outcome: {
                letTimePass()
                return ["first", "second", "earlier", "later"].map { notes.count(of: $0) }
            })
    },
    Subject("an operation with a time limit in a queue") {
        let (queue, turn, source) = (FutureQueue(), OneAtATime(), Source())
        let running = Consumed(
            queue.on(.immediate).enqueue(with: .runTimeout(.seconds(1))) { turn.operation(source.future) })
        let waiting = Consumed(queue.on(.immediate).enqueue(with: .waitTimeout(.seconds(60))) { turn.operation() })
        return .init(
            actions: [
                "complete": source.complete, "let time pass": letTimePass, "cancel": running.cancel,
                "cancel the waiting one": waiting.cancel, "attach": running.attach,
                "abort": { queue.cancelAll() },
            ],
            outcome: {
                source.end()
                return [running.summary, waiting.summary, turn.failure ?? "in turn", "\(queue.isEmpty)"]
            })
    },
]
