// Disposing: an operation that is cancelled while its future ends early keeps its turn until all is disposed.

import Futures
import Testing

/// A future with a disposable that takes several steps, in which another thread may go on.
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

/// The next operation must not begin in between.
private func failure(_ notes: Notes) -> String? {
    let all = notes.all
    guard let next = all.firstIndex(of: "next") else { return "\(all): no next operation" }
    let begun = all[..<next].filter { $0 == "disposes" }.count
    let ended = all[..<next].filter { $0 == "has disposed" }.count
    if begun != ended { return "\(all): the turn was lost" }
    return all.filter { $0 == "disposes" }.count == all.filter { $0 == "has disposed" }.count ? nil : "\(all)"
}

private func queued(_ notes: Notes, _ operation: @escaping @Sendable () -> Future<Tracked>) -> Future<Tracked> {
    let queue = FutureQueue()
    let future = queue.enqueue(on: .immediate) { operation() }
    queue.runSync(on: .immediate) { notes.add("next") }
    return future
}

private typealias End = @Sendable (Future<Tracked>, Future<Tracked>) -> Future<Tracked>

/// Futures that `b` ends, by success or failure, before `a` has completed.
private let shapes: [(name: String, fails: Bool, make: End)] = [
    ("a step", true, { a, _ in a.map(on: .immediate) { $0 } }),
    ("join", true, { a, b in join([a, b]).map(on: .immediate) { $0[0] } }),
    ("select", false, { a, b in select(between: [a, b]).map(on: .immediate) { $0 } }),
    ("firstSuccess", false, { a, b in firstSuccess(of: [a, b]).map(on: .immediate) { $0 } }),
    ("abort", false, { a, b in a.abort(forFutures: [b]).map(on: .immediate) { $0 } }),
    (
        "join of join", true,
        { a, b in
            let inner = join([a, b]).map(on: .immediate) { $0[0] }
            return join([inner]).map(on: .immediate) { $0[0] }
        }
    ),
]

let disposingScenarios = shapes.flatMap { name, fails, make in
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

extension ExplorationTests {
    @Suite struct Disposing {
        @Test(arguments: names(of: disposingScenarios))
        func `every order of the threads is right`(_ name: String) { check(name, disposingScenarios) }
    }
}
