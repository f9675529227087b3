// Disposing: an operation that is cancelled while its future ends early keeps its turn until all is disposed.

import Futures

/// A future whose disposable contains points of exploration.
private func source(_ notes: Notes, _ kept: Variable<Future<Tracked>.Completion>) -> Future<Tracked> {
    Future<Tracked>(on: .immediate) { completion in
        kept.value = completion
        return Disposer {
            notes.add("disposes")
            // Points of exploration.
            let promise = Promise<Tracked>()
            promise.succeed(Tracked(0))
            notes.add("has disposed")
        }
    }
}

/// The next operation must begin behind all that is disposed.
private func failure(_ notes: Notes) -> String? {
    let all = notes.all
    guard let next = all.firstIndex(of: "next") else { return "\(all): no next operation" }
    let begun = all[..<next].filter { $0 == "disposes" }.count
    let ended = all[..<next].filter { $0 == "has disposed" }.count
    return begun == ended && next == all.indices.last ? nil : "\(all): the turn was lost"
}

private func queued(_ notes: Notes, _ operation: @escaping @Sendable () -> Future<Tracked>) -> Future<Tracked> {
    let queue = FutureQueue()
    let future = queue.on(.immediate).enqueue { operation() }
    _ = queue.on(.immediate).run { notes.add("next") }
    return future
}

/// A first stage that ends with a gate, and a second one that disposes, with points of exploration.
private struct Stages: Progression {
    let number: Int
    let gate: Future<Tracked>
    let notes: Notes
    let kept: Variable<Future<Stages>.Completion>
    var result: Tracked? { nil }

    func next() -> Deferred<Stages> {
        guard number > 0 else {
            return Deferred.following { gate }.map { _ in Stages(number: 1, gate: gate, notes: notes, kept: kept) }
        }
        return Deferred.following(on: .immediate) {
            Future(on: .immediate) { completion in
                kept.value = completion
                pause()
                return Disposer {
                    notes.add("disposes")
                    pause()
                    notes.add("has disposed")
                }
            }
        }
    }
}

private typealias End = @Sendable (Future<Tracked>, Future<Tracked>) -> Future<Tracked>

/// Futures that `b` ends, by success or failure, before `a` has completed.
private let shapes: [(name: String, fails: Bool, make: End)] = [
    ("a step", true, { a, _ in a.map(on: .immediate) { $0 } }),
    ("join", true, { a, b in join([a, b]).map(on: .immediate) { $0[0] } }),
    ("select", false, { a, b in select(between: [a, b]).map(on: .immediate) { $0 } }),
    ("firstSuccess", false, { a, b in Future.firstSuccess(of: [a, b]).map(on: .immediate) { $0 } }),
    ("select without history", false, { a, b in select(between: [a, b]).withoutHistory() }),
    ("abort", false, { a, b in a.abort(forFutures: [b]).map(on: .immediate) { $0 } }),
]

private let directed = [
    // 4000 orders find the planted fault that has the stage neither in its closure nor listed.
    Scenario("a progression in a queue: a stage begins, cancel", limit: 6000) {
        let (notes, kept, gate) = (Notes(), Variable<Future<Stages>.Completion>(), Promise<Tracked>())
        let queue = FutureQueue()
        let first = Stages(number: 0, gate: gate.future, notes: notes, kept: kept)
        let run = queue.on(.immediate).enqueue { first.run(on: .immediate) }
        let next = queue.on(.immediate).run { notes.add("next") }
        return .init(
            threads: [{ gate.succeed(Tracked(1)) }, { run.cancel() }],
            check: {
                kept.value = nil
                withExtendedLifetime(next) {}
                return failure(notes)
            })
    },
    Scenario("a join in a join: both end early, cancel") {
        let (notes, kept) = (Notes(), Variable<Future<Tracked>.Completion>())
        let (other, future) = (Variable<Future<Tracked>.Completion>(), Variable<Future<Tracked>>())
        let rivals = [Promise<Tracked>(), Promise<Tracked>()]
        future.value = queued(notes) {
            let inner = join([source(notes, kept), rivals[0].future]).map(on: .immediate) { $0[0] }
            let own = Future<Tracked>(on: .immediate) { completion in
                other.value = completion
                // While the outer one disposes what it has lost.
                return Disposer { future.value?.cancel() }
            }
            return join([own, inner, rivals[1].future]).map(on: .immediate) { $0[0] }
        }
        return .init(
            threads: [{ rivals[0].fail(Failed()) }, { rivals[1].fail(Failed()) }],
            check: {
                (kept.value, other.value, future.value) = (nil, nil, nil)
                return failure(notes)
            })
    },
    Scenario("a disposable cancels another source: cancel, complete that one") {
        let (notes, kept, own) = (
            Notes(), Variable<Future<Tracked>.Completion>(), Variable<Future<Tracked>.Completion>()
        )
        let future = queued(notes) {
            let other = source(notes, kept)
            return Future(on: .immediate) { completion in
                own.value = completion
                return Disposer { other.cancel() }
            }
        }
        return .init(
            threads: [{ future.cancel() }, { kept.value?(.success(Tracked(1))) }],
            check: {
                (kept.value, own.value) = (nil, nil)
                return failure(notes)
            })
    },
    Scenario("a step in a queue: its closure is called, cancel") {
        let (notes, gate) = (Notes(), Promise<Tracked>())
        let future = queued(notes) {
            gate.future.map(on: .immediate) { value in
                // Not a disposable, but the closure uses the resource as one does.
                notes.add("disposes")
                pause()
                notes.add("has disposed")
                return value
            }
        }
        return .init(threads: [{ gate.succeed(Tracked(1)) }, { future.cancel() }], check: { failure(notes) })
    },
    Scenario("a select in a join, a loser that is disposed on another thread: end the select, cancel", workers: 1) {
        let (notes, rival) = (Notes(), Promise<Tracked>())
        let (kept, scheduler) = (Variable<Future<Tracked>.Completion>(), Scheduler(label: "explored"))
        let future = queued(notes) {
            let loser = Future<Tracked>(on: .immediate) { completion in
                kept.value = completion
                return Disposer(on: scheduler) {
                    notes.add("disposes")
                    notes.add("has disposed")
                }
            }
            return join([select(between: [loser, rival.future])]).map(on: .immediate) { $0[0] }
        }
        return .init(
            threads: [{ rival.succeed(Tracked(1)) }, { future.cancel() }],
            check: {
                kept.value = nil
                return failure(notes)
            })
    },
    Scenario("a closure cancels its operation, and returns what is disposing") {
        let (notes, kept, rival) = (Notes(), Variable<Future<Tracked>.Completion>(), Promise<Tracked>())
        let (queue, lost) = (FutureQueue(), Kept(source(notes, kept)))
        return .init(
            threads: [
                { kept.value?(.success(Tracked(1))) },
                {
                    queue.on(.immediate).enqueue {
                        let future = Future.firstSuccess(of: [lost.take().map(on: .immediate) { $0 }, rival.future])
                        rival.succeed(Tracked(2))
                        queue.cancelAll()
                        return future
                    }
                    _ = queue.on(.immediate).run { notes.add("next") }
                },
            ],
            check: {
                kept.value = nil
                return failure(notes)
            })
    },
    Scenario("a closure is aborted, and returns what is disposing and cancels it") {
        let (notes, kept, rival) = (Notes(), Variable<Future<Tracked>.Completion>(), Promise<Tracked>())
        let (queue, own) = (FutureQueue(), Variable<Future<Tracked>>())
        let lost = Kept(
            Future<Tracked>(on: .immediate) { completion in
                kept.value = completion
                return Disposer {
                    notes.add("disposes")
                    own.value?.cancel()
                    notes.add("has disposed")
                }
            })
        queue.isPaused = true
        own.value = queue.on(.immediate).enqueue {
            notes.add("begins")
            let future = Future.firstSuccess(of: [lost.take().map(on: .immediate) { $0 }, rival.future])
            rival.succeed(Tracked(2))
            queue.cancelAll()
            return future
        }
        return .init(
            threads: [
                { kept.value?(.success(Tracked(1))) },
                {
                    queue.isPaused = false
                    _ = queue.on(.immediate).run { notes.add("next") }
                },
            ],
            check: {
                (kept.value, own.value) = (nil, nil)
                // It may have been cancelled before.
                return notes.all.contains("begins") ? failure(notes) : nil
            })
    },
    Scenario("a time limit ends what has nothing to dispose: let time pass, cancel", limit: 4000) {
        let (notes, source) = (Notes(), Promise<Tracked>())
        let future = queued(notes) {
            source.future.map(on: .immediate) { $0 }.timeout(after: .seconds(1), on: .immediate)
        }
        return .init(threads: [letTimePass, { future.cancel() }], check: { failure(notes) })
    },
    Scenario("a repetition enqueues in another queue, cancel") {
        let (notes, first) = (Notes(), Promise<Tracked>())
        let inner = FutureQueue(maxConcurrentCount: 2)
        let future = queued(notes) {
            inner.on(.immediate).enqueue {
                notes.add("runs")
                if notes.all.count == 1 { return first.future }
                // Not a disposable, but the closure uses the resource as one does.
                notes.add("disposes")
                let promise = Promise<Tracked>()
                promise.succeed(Tracked(2))
                notes.add("has disposed")
                return promise.future
            }.repeatedInPlace(maxRepetitions: 1)
        }
        return .init(threads: [{ first.fail(Failed()) }, { future.cancel() }], check: { failure(notes) })
    },
]

let disposingScenarios =
    directed
    + shapes.flatMap { name, fails, make in
        [
            Scenario("\(name): cancel, complete what is disposed") {
                let (notes, kept, rival) = (Notes(), Variable<Future<Tracked>.Completion>(), Promise<Tracked>())
                let future = queued(notes) { make(source(notes, kept), rival.future) }
                return .init(
                    threads: [{ future.cancel() }, { kept.value?(.success(Tracked(1))) }],
                    check: {
                        kept.value = nil
                        rival.succeed(Tracked(2))
                        return failure(notes)
                    })
            },
            Scenario("\(name): end it early, complete what is disposed") {
                let (notes, kept, rival) = (Notes(), Variable<Future<Tracked>.Completion>(), Promise<Tracked>())
                let future = queued(notes) { make(source(notes, kept), rival.future) }
                return .init(
                    threads: [
                        { if fails { rival.fail(Failed()) } else { rival.succeed(Tracked(2)) } },
                        { kept.value?(.success(Tracked(1))) },
                    ],
                    check: {
                        kept.value = nil
                        rival.succeed(Tracked(2))
                        withExtendedLifetime(future) {}
                        return failure(notes)
                    })
            },
            Scenario("\(name): cancel, end it early") {
                let (notes, kept, rival) = (Notes(), Variable<Future<Tracked>.Completion>(), Promise<Tracked>())
                let future = queued(notes) { make(source(notes, kept), rival.future) }
                return .init(
                    threads: [
                        { future.cancel() },
                        { if fails { rival.fail(Failed()) } else { rival.succeed(Tracked(2)) } },
                    ],
                    check: {
                        kept.value?(.success(Tracked(1)))
                        kept.value = nil
                        return failure(notes)
                    })
            },
        ]
    }
