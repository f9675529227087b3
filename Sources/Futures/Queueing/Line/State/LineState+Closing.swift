// Closing: how a line refuses operations, and aborts those that it has.

extension LineState {
    /// Refuses operations from now on.
    mutating func close(with error: any Error) {
        if closedError == nil { closedError = error }
    }

    /// Refuses operations as soon as none waits or runs.
    mutating func end(with error: any Error) {
        endingError = error
        isAttended = true
        if isEmpty { close(with: error) }
    }

    /// Gives away the handler of failed cleanups, in an object: as a closure it would be wrapped in another one on its
    /// way to `DeferredReleases`, and be released behind it.
    mutating func takeCleanupHandler() -> AnyObject? {
        guard let handler = cleanupHandler.take() else { return nil }
        return ClosureJob { handler(CancellationError()) }
    }

    /// Takes out the errors of a line that is being deallocated; nil if there are none.
    mutating func takeErrors() -> [any Error]? {
        guard closedError != nil || endingError != nil else { return nil }
        defer { (closedError, endingError) = (nil, nil) }
        return [closedError, endingError].compactMap { $0 }
    }

    /// The operations of lanes. The lanes are here too, as they may be idle then: all is released without the lock.
    struct Operations {
        var waiting: [LineNode] = []
        var running: [LineNode] = []
        var lanes: [Lane] = []
    }

    /// Takes out the waiting operations, to be failed, and returns them with the running ones; in one lane, or in all
    /// if that is nil. Then `goOnAfterAbort` has to be called.
    mutating func abort(_ lane: Lane?) -> Operations {
        var operations = Operations()
        if isKeyed, lane == nil {
            operations.lanes = keyed.all
            for lane in operations.lanes { abort(lane, &operations) }
        } else {
            abort(lane, &operations)
        }
        return operations
    }

    private mutating func abort(_ lane: Lane?, _ operations: inout Operations) {
        let count = operations.waiting.count
        change(lane.map(Unmanaged.passUnretained)) { $0.takeAll(into: &operations.waiting) }
        waitingCount -= operations.waiting.count - count
        update(lane.map(Unmanaged.passUnretained))
        operations.running += self[lane].running.nodes
    }

    /// `isLess`: whether any operation was taken out. (Running ones report their end by themselves.)
    mutating func goOnAfterAbort(isLess: Bool) -> Action {
        var action = Action()
        proceed(&action, isLess: isLess)
        return action
    }
}
