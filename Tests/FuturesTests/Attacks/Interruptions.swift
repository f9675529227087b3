// Interruptions: threads that are stopped for a moment, at any instruction of theirs.

import Dispatch
import Foundation
import Synchronization

/// Stops threads again and again, wherever they are, while others go on: so a gap of one instruction is found in
/// seconds, for which the kernel alone would take hours.
final class Interruptions: Sendable {
    private let threads = Guarded<[pthread_t]>([])
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// A signal that does nothing by default, so that nothing is lost if one comes late.
    private static let signal = SIGURG

    private static let handler: Void = {
        // Sleeping is safe in a handler; no semaphore of ours would be.
        _ = Foundation.signal(signal) { _ in usleep(20) }
    }()

    init() { Self.handler }

    /// Calls `body`, and stops this thread now and then meanwhile.
    func interrupting(_ body: () -> Void) {
        let me = pthread_self()
        threads.with { $0.append(me) }
        body()
        // Under the lock, so that no signal goes to a thread that has ended.
        threads.with { threads in threads.removeAll { pthread_equal($0, me) != 0 } }
    }

    /// Begins to stop threads, until `end`.
    func begin() {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .acquiring) {
                threads.with { for thread in $0 { pthread_kill(thread, Self.signal) } }
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

/// The same as `race`, with threads that are stopped at any instruction.
func interruptedRace(_ threadCount: Int = 4, _ body: @escaping @Sendable (Int) -> Void) {
    let interruptions = Interruptions()
    interruptions.begin()
    race(threadCount) { thread in interruptions.interrupting { body(thread) } }
    interruptions.end()
}
