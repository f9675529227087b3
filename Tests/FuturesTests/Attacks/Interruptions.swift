// Interruptions: suspend threads briefly, at any instruction.

import Dispatch
import Foundation
import Synchronization

/// Suspends threads again and again at arbitrary instructions, while others continue. Finds a race window of one
/// instruction within seconds, where the scheduling of the kernel alone would take hours.
final class Interruptions: Sendable {
    private let threads = Shared<[pthread_t]>([]), isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// A signal that is ignored by default, so a late one is harmless.
    private static let signal = SIGURG

    private static let handler: Void = {
        // Sleeping is safe in a signal handler; a semaphore of ours would not be.
        _ = Foundation.signal(signal) { _ in usleep(20) }
    }()

    init() { Self.handler }

    /// Calls `body`, during which this thread may be suspended.
    func interrupting(_ body: () -> Void) {
        let me = pthread_self()
        threads.change { $0.append(me) }
        body()
        // Under the lock, so that no signal is sent to a thread that has exited.
        threads.change { threads in threads.removeAll { pthread_equal($0, me) != 0 } }
    }

    func begin() {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .acquiring) {
                threads.change { for thread in $0 { pthread_kill(thread, Self.signal) } }
                usleep(10)
            }
            hasEnded.signal()
        }
    }

    func end() {
        isOver.store(true, ordering: .releasing)
        hasEnded.wait()
    }
}

/// Runs `body` as `race` does, on threads that are suspended at arbitrary instructions.
func interruptedRace(_ threadCount: Int = 4, _ body: @escaping @Sendable (Int) -> Void) {
    let interruptions = Interruptions()
    interruptions.begin()
    race(threadCount) { thread in interruptions.interrupting { body(thread) } }
    interruptions.end()
}
