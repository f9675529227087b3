// Endless recursion: a chain that never completes by itself can still be cancelled. Contract/Schedulers.md

import Dispatch
import Futures
import Testing

struct EndlessRecursionTests {
    @Test func `an endless recursion of completed futures can be cancelled`() {
        let began = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        @Sendable func loop(_ farewell: Farewell, _ step: Int) -> Future<Int> {
            Future(step).flatMap(on: .immediate) { step in
                if step == 1000 { began.signal() }
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
}

/// Calls a closure when it is deallocated.
private final class Farewell: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}
