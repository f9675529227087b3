// Endless recursion: a chain that never completes by itself can still be cancelled. Contract/Order.md

import Dispatch
import Futures
import Testing

struct EndlessRecursionTests {
    /// What each step may do in addition.
    private static let steps: [@Sendable () -> Void] = [
        {},
        { Scheduler.background.perform {} },
        { Scheduler(label: "step").sync {} },
        { _ = try? Future(1).map(on: .concurrentBackground) { $0 }.wait() },
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
        #expect(began.wait(timeout: .now() + 60) == .success)
        all.cancel()
        #expect(all.isCancelled)
        // Its closures were released, so the recursion has stopped.
        #expect(ended.wait(timeout: .now() + 60) == .success)
    }

    @Test(arguments: EndlessLoop.allCases)
    func `an endless loop of completed futures that a callback starts can be cancelled`(loop: EndlessLoop) {
        let (start, runs, cancelled) = (Promise<Void>(), AtomicCounter(), Shared<Future<Void>?>(nil))
        let future = start.future.flatMap(on: .immediate) {
            loop.start {
                if runs.up() == 1000 { cancelled.value?.cancel() }
                // Ends the loop by itself, so that a lost cancel fails the test instead of hanging it.
                if runs.value > 100_000 { throw Oops() }
            }
        }
        cancelled.value = future
        start.succeed()
        #expect(future.isCancelled)
        #expect(runs.value < 2500)
        cancelled.value = nil
    }
}

/// A loop that calls a closure in each run, on `.immediate`, until that throws.
enum EndlessLoop: CaseIterable {
    case onValueRepeat, asked, collected, onErrorRepeat, retry, nested, deferred, progression, steps, traversal,
        reduction

    func start(_ run: @escaping @Sendable () throws -> Void) -> Future<Void> {
        let future = Future<Void>(on: .immediate, immediate: run)
        let numbers = sequence(first: 0) { $0 + 1 }
        return switch self {
        case .onValueRepeat: future.onValueRepeat(on: .immediate) { _ in true }
        case .asked: future.onValueRepeat(on: .immediate) { _ in Future(true) }
        case .collected: future.repeatAndCollect(on: .immediate) { _ in true }.asVoid()
        case .onErrorRepeat: future.map(on: .immediate) { throw Again() }.onErrorRepeat(on: .immediate) { $0 is Again }
        case .retry:
            future.map(on: .immediate) { throw Again() }
                .retry(RetryPolicy(.constant(.zero), when: { $0 is Again }), on: .immediate)
        case .nested:
            future.onValueRepeat(on: .immediate, maxRepetitions: 3) { _ in true }
                .onValueRepeat(on: .immediate) { _ in true }
        case .deferred: future.deferred.start(on: .immediate).onValueRepeat(on: .immediate) { _ in true }
        case .progression: EndlessStages(run: run).run(on: .immediate)
        case .steps: EndlessSteps(run: run).run(on: .immediate)
        case .traversal:
            numbers.mapToFuture(on: .immediate) { _ in Future(result: Result { try run() }) }.asVoid()
        case .reduction:
            numbers.reduceToFuture(on: .immediate, ()) { _ in Future(result: Result { try run() }) }
        }
    }
}

private struct Again: Error {}

private struct EndlessStages: Progression {
    let run: @Sendable () throws -> Void
    var result: Void? { nil }

    func next() -> Deferred<EndlessStages> {
        Deferred(on: .immediate) {
            try run()
            return self
        }
    }
}

private struct EndlessSteps: SteppingProgression {
    let run: @Sendable () throws -> Void
    var result: Void? { nil }

    mutating func step() throws { try run() }
}

/// Calls a closure when it is deallocated.
private final class Farewell: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}
