// Dispatch: futures of blocks and of groups.

public import Dispatch

extension DispatchQueue {
    /// Returns a future of what `body` returns or throws, and submits it to this queue as a block.
    ///
    /// If the future is cancelled before the block runs, `body` is never called; if it is running, it continues, and
    /// its result is ignored. A repetition submits another block. Without flags and quality of service, a ``Scheduler``
    /// around this queue does the same.
    public func asyncFuture<Value: Sendable>(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute body: @escaping @Sendable () throws -> Value
    ) -> Future<Value> {
        // The set of flags is not `Sendable`, its raw value is.
        let flags = flags.rawValue
        return Future(
            starting: .operation(on: .inPlace) { node in
                let scheduler = Scheduler(queue: self)
                self.async(qos: qos, flags: DispatchWorkItemFlags(rawValue: flags)) {
                    guard !node.hasSettled else { return }
                    scheduler.perform { _ = node.settleFromOutside(Result { try body() }) }
                }
                return NilDisposer()
            })
    }

    /// Is notified of the ends of groups. It runs no user code.
    fileprivate static let ends = DispatchQueue.apart("futures.ends")
}

extension DispatchGroup {
    /// Returns a future that succeeds the next time this group is empty. It also waits for work that enters the group
    /// before then.
    ///
    /// Cancelling the future stops none of the work. A repetition waits again.
    public func future(file: StaticString = #fileID, line: UInt = #line) -> Future<Void> {
        Future(on: .inPlace, file: file, line: line) { completion in
            self.notify(queue: .ends) { Scheduler.unblocked.async { completion(.success(())) } }
            return NilDisposer()
        }
    }

    /// Enters this group, and leaves it when `future` completes or is cancelled.
    ///
    /// The group does not count as a listener: `future` can still be cancelled. A future that never completes keeps the
    /// group from becoming empty.
    public func add<Value>(_ future: Future<Value>) {
        enter()
        _ = Node.listener(to: future.node, .watcher) { _ in self.leave() }
    }
}

extension DispatchSemaphore {
    /// Waits for a signal, or until the time has passed. Returns whether there was a signal.
    // A time limit of Dispatch's would go by the clock of the day where the system has no other: if that is set back, the
    // limit passes later. A signal that comes as the time passes may be left behind.
    @discardableResult
    package func wait(for duration: Duration) -> Bool {
        // 68 years, for a wait without a limit: it needs no timer.
        guard duration < .seconds(1 << 31) else {
            wait()
            return true
        }
        let end = ContinuousClock.now + duration
        let hasPassed = Locked(false)
        let work: @Sendable () -> Void = {
            hasPassed.withLock { $0 = true }
            self.signal()
        }
        // In place: on the thread of the timers, which nothing blocks.
        let timer = Timers.shared.start(DelayedJob(work), after: duration, for: .inPlace)
        defer { timer.dispose() }
        // Should the timers get no thread, as those of the process are blocked: Dispatch's limit as well.
        while wait(timeout: .now() + .seconds(Int(min(duration, .seconds(3600)) / .seconds(1)) + 1)) == .timedOut {
            if ContinuousClock.now >= end { return false }
        }
        return !hasPassed.withLock { $0 }
    }
}
