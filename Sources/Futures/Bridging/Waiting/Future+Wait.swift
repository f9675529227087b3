// wait: blocks the thread until there is a result.

internal import Dispatch

extension Future {
    /// Blocks the calling thread until there is a result, and returns the value or throws the error.
    ///
    /// On the main thread outside of a main-queue block (top-level code, a test that runs there) it goes on serving the
    /// main queue and the main actor meanwhile. Where it could never return, because the future still needs the serial
    /// scheduler that it blocks, it traps with a message that names the scheduler.
    ///
    /// - Throws: the future's error; ``FutureError/timedOut(after:)`` if `timeout` passes first, which leaves the
    ///   future as it is.
    @discardableResult
    @available(
        *, noasync, message: "It would block a thread of the concurrency pool. Attach onResult instead."
    )
    public func wait(timeout: Duration? = nil) throws -> Value {
        if let result { return try result.get() }
        ThreadState.here.catchUp()
        if let result { return try result.get() }
        let servesMain = MainQueue.canBeServed
        if let scheduler = node.blocked(servingMain: servesMain) {
            fatalError(
                "wait() would never return: it blocks \(scheduler), which the future needs for what it has still to "
                    + "do. Attach its callbacks with on: another scheduler, or use onResult instead of waiting."
            )
        }
        let semaphore = DispatchSemaphore(value: 0)
        let listener = Node.listener(to: node) { _ in
            semaphore.signal()
            if servesMain { MainQueue.wake() }
        }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while !isCompleted {
            let remaining = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(3600)
            guard remaining > .zero else {
                listener.leave()
                throw FutureError.timedOut(after: timeout!)
            }
            if servesMain {
                MainQueue.serve(for: remaining)
            } else {
                // In parts of an hour: then no duration is too long for Dispatch.
                let nanoseconds = Int(min(remaining, .seconds(3600)) / .nanoseconds(1))
                _ = semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds))
            }
        }
        return try result!.get()
    }
}

extension Node {
    /// The scheduler that the calling thread blocks and this node needs, as far as that is known: what waits for a
    /// value wants its scheduler then. (What only wants an error may pass by, and does not count.)
    fileprivate func blocked(servingMain: Bool) -> Scheduler? {
        var current: Node? = resolved
        // Futures that wait for each other in a circle would keep this going: it stops when it comes back to a node.
        var (seen, steps, next) = (current, 0, 1)
        while let node = current, let listeners = node.lock() {
            let upstream = node.upstream
            let wantsScheduler =
                if node.inner != nil {
                    false
                } else if node.traits.contains(.begins) {
                    if case .waiting = node.progress { true } else { false }
                } else if let upstream {
                    node.traits.contains(
                        upstream.isSettled ? Unmanaged.passUnretained(upstream).outcome : .values)
                } else {
                    node.traits.contains(.queued)
                }
            node.unlock(listeners)
            let scheduler = node.scheduler.takeUnretainedValue()
            if wantsScheduler, scheduler.isBlocked(servingMain: servingMain) { return scheduler }
            current = upstream
            if current === seen { return nil }
            steps += 1
            if steps == next { (seen, next) = (current, 2 * next) }
        }
        return nil
    }
}

extension Scheduler {
    fileprivate func isBlocked(servingMain: Bool) -> Bool {
        guard backend.isSerial, !(servingMain && self == .main) else { return false }
        return ThreadState.here.isExecuting(self) || backend.isCurrent
    }
}
