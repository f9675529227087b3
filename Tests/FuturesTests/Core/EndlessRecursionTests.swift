// Endless recursion: a chain that never completes by itself can still be cancelled. Contract/Schedulers.md

import Dispatch
import Futures
import Testing

struct EndlessRecursionTests {
    /// What each step may do in addition.
    private static let steps: [@Sendable () -> Void] = [
        {},
        { Scheduler.background.perform {} },
        { Scheduler(label: "step").sync {} },
        { _ = try? Future(1).map(on: .background) { $0 }.wait() },
    ]

    @Test(arguments: steps.indices)
    func `an endless recursion of completed futures can be cancelled`(way: Int) {
        let began = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        @Sendable func loop(_ farewell: Farewell, _ step: Int) -> Future<Int> {
            Future(step).flatMap(on: .immediate) { step in
                if step == 1000 { began.signal() }
                Self.steps[way]()
                return loop(farewell, step + 1)
            }
        }
        let start = Promise<Void>()
        let all = start.future.flatMap(on: Scheduler(label: "endless")) {
            loop(Farewell { ended.signal() }, 0)
        }
        start.succeed()
        #expect(began.wait(timeout: .testTimeout) == .success)
        all.cancel()
        #expect(all.isCancelled)
        // Its closures were released, so the recursion has stopped.
        #expect(ended.wait(timeout: .testTimeout) == .success)
    }

    /// What each run of a loop is.
    enum Run: CaseIterable {
        case completed, operation
        /// An operation that waits for its turn when the loop starts, and has it before the callback has returned.
        case waitingOperation
    }

    @Test(arguments: EndlessLoop.allCases, Run.allCases)
    func `an endless loop of completed futures that a callback starts can be cancelled`(loop: EndlessLoop, run: Run) {
        let (start, runs, cancelled) = (Promise<Void>(), AtomicCounter(), Shared<Future<Void>?>(nil))
        let future = start.future.flatMap(on: .immediate) {
            let (gate, queue) = (Promise<Void>(), run == .completed ? nil : FutureQueue<Void>())
            if run == .waitingOperation { queue?.on(.immediate).enqueue { gate.future } }
            let looped = loop.start(in: queue) {
                if runs.up() == 1000 { cancelled.value?.cancel() }
                // Ends the loop by itself, so that a lost cancel fails the test instead of hanging it.
                if runs.value > 100_000 { throw Oops() }
            }
            gate.succeed()
            return looped
        }
        cancelled.value = future
        start.succeed()
        #expect(future.isCancelled)
        #expect(runs.value < (run == .waitingOperation ? 10_000 : 2500))
        cancelled.value = nil
    }
}

/// A loop that calls a closure in each run, on `.immediate`, until that throws.
enum EndlessLoop: CaseIterable {
    case onValueRepeat, asked, collected, onErrorRepeat, retry, nested, deferred, progression, traversal,
        concurrentTraversal, reduction, recursion

    /// - Parameter queue: If there is one, each run is an operation of it.
    func start(in queue: FutureQueue<Void>?, _ run: @escaping @Sendable () throws -> Void) -> Future<Void> {
        let make: @Sendable () -> Future<Void> = {
            queue?.on(.immediate).run(run) ?? Future(on: .immediate, immediate: run)
        }
        let numbers = sequence(first: 0) { $0 + 1 }
        return switch self {
        case .onValueRepeat: make().onValueRepeat(on: .immediate)
        case .asked: make().onValueRepeat(on: .immediate) { _ in Future(true) }
        case .collected: make().repeatAndCollect(on: .immediate) { _ in true }.asVoid()
        case .onErrorRepeat:
            make().map(on: .immediate) { throw Again() }
                .onErrorRepeat(on: .immediate, maxRepetitions: .max) { $0 is Again }
        case .retry:
            make().map(on: .immediate) { throw Again() }
                .retry(RetryPolicy(.constant(.zero), maxRepetitions: .max, when: { $0 is Again }), on: .immediate)
        case .nested:
            make().onValueRepeat(on: .immediate, maxRepetitions: 3)
                .onValueRepeat(on: .immediate)
        case .deferred: Deferred(repeating: make()).start(on: .immediate).onValueRepeat(on: .immediate)
        case .progression: EndlessStages(run: make).run(on: .immediate)
        case .traversal: numbers.mapToFuture(on: .immediate) { _ in make() }.asVoid()
        case .concurrentTraversal:
            numbers.mapToFuture(on: .immediate, maxConcurrentCount: 4) { _ in make() }.asVoid()
        case .reduction: numbers.reduceToFuture(on: .immediate, ()) { _ in make() }
        case .recursion: endlessRecursion(of: make)
        }
    }
}

private func endlessRecursion(of run: @escaping @Sendable () -> Future<Void>) -> Future<Void> {
    run().flatMap(on: .immediate) { endlessRecursion(of: run) }
}

private struct Again: Error {}

private struct EndlessStages: Progression {
    let run: @Sendable () -> Future<Void>
    var result: Void? { nil }

    func next() -> Deferred<EndlessStages> {
        Deferred.following { run().map(on: .immediate) { self } }
    }
}

/// Calls a closure when it is deallocated.
private final class Farewell: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}
