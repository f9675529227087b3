// ThreadLoop: a small event loop with one thread, as users have them.

import Foundation
import Futures

/// Runs closures on a thread of its own until it is shut down. Then it releases closures without calling them.
final class ThreadLoop: ExecutionQueue {
    private struct State {
        var closures: [@Sendable () -> Void] = []
        var isShutDown = false
    }

    private let state = Locked(State()), wakeUps = DispatchSemaphore(value: 0), thread = Shared<UInt?>(nil)
    private let onRelease: @Sendable () -> Void
    let label: String

    init(label: String = "loop", onRelease: @escaping @Sendable () -> Void = {}) {
        self.label = label
        self.onRelease = onRelease
        let (state, wakeUps, thread) = (state, wakeUps, thread)
        Thread.detachNewThread {
            thread.value = ThreadState.here.identity
            while true {
                wakeUps.wait()
                let (closure, isShutDown) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                    (state.closures.isEmpty ? nil : state.closures.removeFirst(), state.isShutDown)
                }
                if isShutDown { return }
                closure?()
            }
        }
    }

    deinit {
        shutDown()
        onRelease()
    }

    var isSerial: Bool { true }
    var isCurrent: Bool { thread.value == ThreadState.here.identity }

    func async(_ work: @escaping @Sendable () -> Void) {
        let isShutDown = state.withLock { state in
            if !state.isShutDown { state.closures.append(work) }
            return state.isShutDown
        }
        if !isShutDown { wakeUps.signal() }
    }

    func shutDown() {
        let closures = state.withLock { state in
            defer { (state.isShutDown, state.closures) = (true, []) }
            return state.closures
        }
        wakeUps.signal()
        withExtendedLifetime(closures) {}
    }
}
