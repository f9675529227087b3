// wait: blocks the thread until there is a result.

internal import Dispatch

extension Future {
    /// Blocks the calling thread until there is a result, and returns the value or throws the error.
    ///
    /// On the main thread outside of main-queue blocks (top-level code, a test that runs there), it runs the work of
    /// the main queue and of the main actor while it waits. Elsewhere it blocks the scheduler whose job or `sync` calls
    /// it: if that is serial and the future is known to need it, this traps with a message that names the scheduler,
    /// instead of a deadlock. A `perform` blocks no scheduler.
    ///
    /// In the closure of an operation of a queue, lock or pool, or of a future that such an operation waits for, it
    /// throws if the future is known to need the turn of that operation. It may take 50 ms or more until that is known.
    /// In a disposable, a deinit, and a closure whose future was cancelled meanwhile, it is not known: do not wait
    /// there.
    ///
    /// In a callback, it first runs the callbacks to which that one has led, and looks at `timeout` between them: they
    /// must not wait for what this one does behind the wait. Callbacks that stand behind it run meanwhile on other
    /// threads, of up to 250 that wait at the same time, unless their scheduler is serial.
    ///
    /// It waits for at most `timeout`; if that is nil, without a limit.
    ///
    /// - Throws: The error of the future; ``FutureError/timedOut(after:origin:)`` if `timeout` passes first;
    ///   ``QueueError/deadlock(running:waiting:)`` if the future waits for a turn that this call keeps. In the last two
    ///   cases, the future is neither cancelled nor changed.
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
        let world = Worlds.here
        let deadline = world == nil ? timeout.map { ContinuousClock.now.after($0) } : nil
        // At least one job, so that a limit of zero asks for what is there.
        var hasBegun = false
        ThreadState.here.catchUp {
            defer { hasBegun = true }
            return node.hasSettled || hasBegun && deadline.map { ContinuousClock.now >= $0 } ?? false
        }
        if let result { return try result.get() }
        let site = FutureError.SourceLocation(file, line: line)
        if hasBegun, let deadline, deadline <= ContinuousClock.now {
            throw FutureError.timedOut(after: timeout!, origin: site)
        }
        if let world {
            try node.checkObstacles()
            try world.run(until: { node.hasSettled }, timeout: timeout) { node.awaitedInWords }
            if let result { return try result.get() }
            throw FutureError.timedOut(after: timeout!, origin: site)
        }
        let servesMain = MainQueue.canBeServed
        try node.checkWait(hasLimit: timeout != nil, servesMain: servesMain, file, line)
        ThreadState.here.passStrandOn()
        let semaphore = DispatchSemaphore(value: 0)
        let listener = Node.listener(to: node) { _ in
            semaphore.signal()
            // So that `serve` returns soon.
            if servesMain { DispatchQueue.main.async {} }
        }
        let record = Recording.recorderIfOn?.wait(for: node, at: site)
        defer {
            listener.stopListening()
            record?.dispose()
        }
        // The futures that this one waits for, and those that wait for this thread, may change. A deadlock lasts, so it
        // can be found a little later.
        var pause: Duration = ThreadState.here.runningJobs.isEmpty ? .longest : .milliseconds(50)
        var nextCheck = ContinuousClock.now + pause
        while !isCompleted {
            let now = ContinuousClock.now
            if let deadline, deadline <= now { throw FutureError.timedOut(after: timeout!, origin: site) }
            if nextCheck <= now {
                try node.checkObstacles(servesMain: servesMain)
                pause = min(pause * 4, .seconds(3600))
                nextCheck = now + pause
            }
            let duration = now.duration(to: min(deadline ?? nextCheck, nextCheck))
            if servesMain {
                MainQueue.serve(for: duration)
            } else {
                semaphore.wait(for: duration)
            }
        }
        return try result!.get()
    }
}

extension Node {
    /// Throws or traps if this thread, which is about to wait for this node, blocks what that needs.
    fileprivate func checkWait(hasLimit: Bool, servesMain: Bool, _ file: StaticString, _ line: UInt) throws {
        guard let scheduler = try checkObstacles(servesMain: servesMain) else { return }
        let (call, result) = hasLimit ? ("wait(timeout:)", "always time out") : ("wait()", "never return")
        fatalError(
            "\(call) would \(result): it blocks \(scheduler), which the future still needs. Attach its callbacks and its "
                + "delays with on: another scheduler, or use onResult instead of waiting; in asynchronous code, use try "
                + "await future.value.",
            file: file, line: line)
    }
}
