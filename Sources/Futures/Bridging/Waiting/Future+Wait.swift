// wait: blocks the thread until there is a result.

internal import Dispatch

extension Future {
    /// Blocks the calling thread until there is a result, and returns the value or throws the error.
    ///
    /// On the main thread outside of main-queue blocks (top-level code, a test that runs there), it runs the work of
    /// the main queue and of the main actor while it waits. Elsewhere it blocks the scheduler whose job or `sync` calls
    /// it: if that is serial and the future is known to need it, or a timer of it, this traps with a message that names
    /// the scheduler, instead of a deadlock. A `perform` blocks no scheduler.
    ///
    /// In a callback, it first runs the work that the callbacks in progress on this thread have deferred.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, at most; nil for no limit.
    ///   - file: The file in the error of a timeout, or named by the trap.
    ///   - line: The line in the error of a timeout, or named by the trap.
    /// - Throws: The error of the future; ``FutureError/timedOut(after:origin:)`` if `timeout` passes first. The future
    ///   is then neither cancelled nor changed.
    @discardableResult
    @available(
        *, noasync, message: "Write try await future.value: wait() would block a thread of the concurrency pool."
    )
    public func wait(
        timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Value {
        if let result { return try result.get() }
        let node = node
        // Before all that this thread runs first.
        let deadline = timeout.map { ContinuousClock.now.after($0) }
        ThreadState.here.catchUp(
            until: { node.hasSettled || deadline.map { ContinuousClock.now >= $0 } ?? false },
            needing: { node.needed })
        if let result { return try result.get() }
        let servesMain = MainQueue.canBeServed
        var check = WaitDeadlockCheck(servesMain: servesMain)
        if let scheduler = check.scheduler(of: node) {
            let (call, result) =
                timeout == nil ? ("wait()", "never return") : ("wait(timeout:)", "always time out")
            fatalError(
                "\(call) would \(result): it blocks \(scheduler), which the future still needs. Attach its callbacks and "
                    + "its delays with on: another scheduler, or use onResult instead of waiting; in asynchronous "
                    + "code, use try await future.value.",
                file: file, line: line)
        }
        let semaphore = DispatchSemaphore(value: 0)
        let listener = Node.listener(to: node) { _ in
            semaphore.signal()
            if servesMain { MainQueue.wake() }
        }
        while !isCompleted {
            let remaining = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(3600)
            guard remaining > .zero else {
                listener.stopListening()
                throw FutureError.timedOut(after: timeout!, origin: .init(file, line: line))
            }
            if servesMain {
                MainQueue.serve(for: remaining)
            } else {
                // At most an hour at a time: Dispatch cannot represent every longer duration.
                let nanoseconds = Int(min(remaining, .seconds(3600)) / .nanoseconds(1))
                _ = semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds))
            }
        }
        return try result!.get()
    }
}
