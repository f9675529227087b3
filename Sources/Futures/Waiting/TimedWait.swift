// TimedWait: a wait for a semaphore with a time limit that no clock of the day changes.

package import Dispatch

extension DispatchSemaphore {
    /// Waits for a signal, or until the time has passed. Returns whether there was a signal.
    // Dispatch's own time limit would go by the clock of the day where the system has no other: if that is set back,
    // the limit passes later. A signal that comes as the time passes may be left behind.
    @discardableResult
    package func wait(for duration: Duration) -> Bool {
        // 68 years, for a wait without a limit: it needs no timer.
        guard duration < .seconds(1 << 31) else {
            wait()
            return true
        }
        let hasPassed = Locked(false)
        let work: @Sendable () -> Void = {
            hasPassed.withLock { $0 = true }
            self.signal()
        }
        // In place: on the thread of the timers, which nothing blocks.
        let timer = Timers.shared.start(DelayedJob(work), after: duration, for: .inPlace)
        defer { timer.dispose() }
        wait()
        return !hasPassed.withLock { $0 }
    }
}
