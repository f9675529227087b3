// Random nests of loops without an end, which are cancelled.

import Dispatch
import Foundation
import Futures
import Testing

extension Attacks {
    @Suite struct Loops {
        @Test func `a random nest of loops without an end ends soon after its cancel, and is released`() {
            Attacks.run(isDebug ? 300 : 3000) { random in
                let program = LoopProgram(&random)
                return LoopRun(program).complaint().map { "\($0): \(program)" }
            }
        }
    }
}

/// A run of a nest, and what its leaves have done.
private final class LoopRun: Sendable {
    private struct State {
        var root: Future<Void>?
        var count = 0
        var isAsked = false
        /// Whether the nest should know of the cancel by now.
        var isCancelled = false
        var countAfter = 0
    }

    private let program: LoopProgram
    private let scheduler: Scheduler
    private let state = Shared(State()), asked = DispatchSemaphore(value: 0)

    init(_ program: LoopProgram) {
        self.program = program
        scheduler =
            switch program.place {
            case .immediate: .immediate
            case .serial: Scheduler(label: "loop")
            case .concurrent: .background
            }
    }

    /// How many leaves may run after the cancel: 256 runs of the outermost loop, and as many inner ones. Concurrently,
    /// others run the loop until the callback has a processor: on a busy machine, that is a million leaves.
    private var most: Int { program.place == .concurrent ? 30_000_000 : 400 * program.leavesPerRun + 2000 }

    private func leaf() throws {
        let (asksNow, isLate) = state.change { state in
            state.count += 1
            if state.isCancelled { state.countAfter += 1 }
            let asksNow = state.count >= program.cancelledAfter && !state.isAsked && state.root != nil
            if asksNow { state.isAsked = true }
            // The other work has to come soon, too.
            if asksNow, program.canceller == .otherWork { state.isCancelled = true }
            return (asksNow, state.countAfter > 2 * most)
        }
        // Ends the nest, so that a lost cancel is reported, and does not hang.
        if isLate { throw Oops() }
        guard asksNow else { return }
        switch program.canceller {
        case .leaf: cancel()
        case .thread: asked.signal()
        case .otherWork: scheduler.async { self.cancel() }
        }
    }

    private func cancel() {
        let root = state.change { $0.root }
        guard root?.cancel() == true else { return }
        state.change { $0.isCancelled = true }
    }

    func complaint() -> String? {
        let released = DispatchSemaphore(value: 0)
        if let complaint = run(Census().make { released.signal() }) { return complaint }
        guard released.wait(timeout: .testTimeout) == .success else { return "it is not released" }
        let count = state.change { $0.countAfter }
        return count > most ? "\(count) leaves after the cancel, not \(most)" : nil
    }

    @inline(never)
    private func run(_ object: consuming Census.Counted) -> String? {
        let context = LoopContext(scheduler: scheduler) { [self, object] in
            object.touch()
            try leaf()
        }
        let (start, tree, ended) = (Promise<Void>(), program.tree, DispatchSemaphore(value: 0))
        let nest =
            program.isInCallback ? start.future.flatMap(on: scheduler) { tree.start(context) } : tree.start(context)
        let root = nest.always(on: .immediate) { ended.signal() }
        state.change { $0.root = root }
        // On `.immediate`, this does not return before the nest has ended.
        Thread.detachNewThread { start.succeed() }
        if program.canceller == .thread {
            guard asked.wait(timeout: .testTimeout) == .success else { return "its leaves do not run" }
            cancel()
        }
        guard ended.wait(timeout: .testTimeout) == .success else { return "it does not end" }
        state.change { $0.root = nil }
        return root.error is CancellationError ? nil : "it ends with \(root)"
    }
}
