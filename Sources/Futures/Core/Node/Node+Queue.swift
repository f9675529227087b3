// Queued nodes: how a node waits for its turn, and gives it back.

/// Where a queued node is, as its queue sees it.
@usableFromInline
enum Standing: UInt8 {
    /// Not enqueued yet, or over.
    case outside
    /// In the line. Next is `running` or `outside`.
    case waiting
    /// It has its turn. Next is `outside`.
    case running
}

// A queued node is in no source's list before it begins, so its place in a list serves as its place in the line. Its
// queue is told by its operation, which captures that:
//
//     Call.arrived    it is its turn, or its inner node has settled
//     Call.enqueued   it was made by a repetition
//     Call.over       its turn is over
//
// The turn of one that has begun is over once no job of its own has anything to do any more: whoever completes it in its
// job, or finds it settled there, or takes it out of the list of its inner node, says so. The queue sees by `standing`,
// under its own lock, what had been over already.

extension Node {
    /// Calls the operation once more as a job, now that the node is over and its listeners are about to be served.
    @usableFromInline
    func isOver() {
        ThreadState.here.serveNext(JobList(self))
    }

    /// Goes on as what `future` settles with; false if the node is over.
    @inlinable
    func turn<T: Sendable>(to future: Future<T>) -> Bool {
        let other = future.node
        defer { withExtendedLifetime(other) {} }
        guard other.isSettled else { return wait(for: other) }
        finish(as: .passUnretained(other), T.self)
        return false
    }
}
