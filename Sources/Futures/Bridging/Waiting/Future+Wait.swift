// wait: blocks the thread until there is a result.

internal import Dispatch

extension Future {
    /// Blocks the calling thread until there is a result, and returns the value or throws the error.
    ///
    /// On the main thread outside of a main-queue block (top-level code, a test that runs there) it goes on serving the
    /// main queue and the main actor meanwhile. Where it could only wait in vain, because the future still needs the serial
    /// scheduler that it blocks, it traps with a message that names the scheduler.
    ///
    /// - Throws: the future's error; ``FutureError/timedOut(after:origin:)`` if `timeout` passes first, which leaves the
    ///   future as it is.
    @discardableResult
    @available(
        *, noasync, message: "Write try await future.value: wait() would block a thread of the concurrency pool."
    )
    public func wait(
        timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Value {
        if let result { return try result.get() }
        let node = node
        ThreadState.here.catchUp(until: { node.resolved.isSettled }, needing: { node.needed })
        if let result { return try result.get() }
        let servesMain = MainQueue.canBeServed
        var blockade = Blockade(servesMain: servesMain)
        if let scheduler = blockade.scheduler(of: node) {
            let (call, result) =
                timeout == nil ? ("wait()", "never return") : ("wait(timeout:)", "wait its whole time in vain")
            fatalError(
                "\(call) would \(result): it blocks \(scheduler), which the future needs for what it has still to "
                    + "do. Attach its callbacks with on: another scheduler, or use onResult instead of waiting; in "
                    + "asynchronous code, try await future.value.",
                file: file, line: line)
        }
        let semaphore = DispatchSemaphore(value: 0)
        let listener = Node.listener(to: node) { _ in
            semaphore.signal()
            if servesMain { MainQueue.wake() }
        }
        let deadline = timeout.map { ContinuousClock.now.after($0) }
        while !isCompleted {
            let remaining = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(3600)
            guard remaining > .zero else {
                listener.leave()
                throw FutureError.timedOut(after: timeout!, origin: .init(file, line: line))
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
