// Schedulers: hops between serial schedulers, which hand over to each other, sync, and wait.

import Futures

/// A serial scheduler, of whose jobs no two may run at once.
private struct Serial {
    let scheduler = Scheduler(label: "explored")
    private let turn = OneAtATime()

    func inTurn() {
        turn.enter()
        pause()
        turn.leave()
    }

    var failure: String? { turn.failure }
}

extension Future<Tracked> {
    /// A step in the turn of a scheduler.
    fileprivate func step(on serial: Serial) -> Future<Tracked> {
        map(on: serial.scheduler) {
            serial.inTurn()
            return Tracked($0.number + 1)
        }
    }
}

let schedulingScenarios = [
    Scenario("two serial schedulers: hop to and fro, add jobs", workers: 1) {
        let (a, b, promise, notes) = (Serial(), Serial(), Promise<Tracked>(), Notes())
        let future = promise.future.step(on: a).step(on: b).step(on: a)
        return .init(
            threads: [
                { promise.succeed(Tracked(0)) },
                {
                    b.scheduler.async {
                        b.inTurn()
                        notes.add("first")
                    }
                    b.scheduler.async { notes.add("second") }
                },
            ],
            check: {
                a.failure ?? b.failure ?? expect([outcome(future)] + notes.all, among: [["3", "first", "second"]])
            })
    },
    Scenario("two serial schedulers that two threads serve: hop to each other", workers: 2) {
        let (a, b, promises) = (Serial(), Serial(), [Promise<Tracked>(), Promise<Tracked>()])
        let futures = [promises[0].future.step(on: a).step(on: b), promises[1].future.step(on: b).step(on: a)]
        return .init(
            threads: [{ promises[0].succeed(Tracked(0)) }, { promises[1].succeed(Tracked(0)) }],
            check: { a.failure ?? b.failure ?? expect(futures.map(outcome), among: [["2", "2"]]) })
    },
    Scenario("a serial scheduler: sync, sync, add a job", threads: 3, workers: 1) {
        let (a, notes) = (Serial(), Notes())
        let sync: @Sendable () -> Void = {
            a.scheduler.sync {
                a.inTurn()
                notes.add("sync")
            }
        }
        return .init(
            threads: [
                sync, sync,
                {
                    a.scheduler.async {
                        a.inTurn()
                        notes.add("job")
                    }
                },
            ], check: { a.failure ?? expect(notes.all.sorted(), among: [["job", "sync", "sync"]]) })
    },
    Scenario("two serial schedulers: hop to and on, wait for that on the first one", threads: 1, workers: 2) {
        let (a, b, promise, notes) = (Serial(), Serial(), Promise<Tracked>(), Notes())
        let future = promise.future.step(on: a).step(on: b)
        return .init(
            threads: [
                {
                    promise.succeed(Tracked(0))
                    a.scheduler.async { notes.add(((try? future.wait())?.number).map(String.init) ?? "failed") }
                }
            ], check: { a.failure ?? b.failure ?? expect(notes.all, among: [["2"]]) })
    },
    Scenario("two serial schedulers: hop to and on, block the first one until then", threads: 1, workers: 2) {
        let (a, b, promise) = (Serial(), Serial(), Promise<Tracked>())
        let future = promise.future.step(on: a).step(on: b)
        return .init(
            threads: [
                {
                    promise.succeed(Tracked(0))
                    a.scheduler.async { block { future.isCompleted } }
                }
            ], check: { a.failure ?? b.failure })
    },
    Scenario("a serial scheduler: hop, sync, release", workers: 1) {
        let (kept, promise, notes) = (Kept(Serial()), Promise<Tracked>(), Notes())
        return .init(
            threads: [
                {
                    let serial = kept.take()
                    promise.future.step(on: serial).onValue(on: .immediate) { notes.add("\($0.number)") }
                    serial.scheduler.sync { notes.add("sync") }
                },
                { promise.succeed(Tracked(0)) },
            ], check: { expect(notes.all.sorted(), among: [["1", "sync"]]) })
    },
    Scenario("timers: start a later one, start an earlier one, let time pass") {
        let (notes, begin) = (Notes(), exploredTime())
        let start: @Sendable (Int) -> Void = { seconds in
            _ = Scheduler.immediate.async(after: .seconds(seconds)) {
                notes.add("\(seconds) after \(Int((exploredTime() - begin).rounded()))")
            }
        }
        return .init(
            threads: [
                {
                    start(8)
                    start(4)
                }, { start(2) },
            ],
            check: {
                letTimePass()
                return expect(notes.all, among: [["2 after 2", "4 after 4", "8 after 8"]])
            })
    },
    Scenario("a hop to a serial scheduler, cancel, attach", threads: 3, workers: 1) {
        let (a, promise, notes) = (Serial(), Promise<Tracked>(), Notes())
        let future = promise.future.step(on: a)
        return .init(
            threads: [
                { promise.succeed(Tracked(1)) }, { future.cancel() },
                { future.onResult(on: .immediate) { notes.add(text($0)) } },
            ],
            check: {
                // A cancel that comes after the attach does nothing.
                a.failure ?? expect([outcome(future)] + notes.all, among: [["2", "2"], ["cancelled", "cancelled"]])
            })
    },
]
