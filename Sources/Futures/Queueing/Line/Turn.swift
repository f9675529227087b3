// Turn: the turn of an operation as an object, which can outlast the operation.

internal import Synchronization

/// The turn of an operation, or of a resource. It lasts until it is released, even if the operation has completed by
/// then.
///
/// It is released at the latest when it is unreferenced. A turn that has ended refers to nothing: the closure of an
/// asynchronous operation refers to a promise whose result is the turn, and the turn to the node with that closure.
// Safe to share: the thread that takes the last holder away is the only one that uses `end`.
final class Turn: @unchecked Sendable {
    @exclusivity(unchecked) private var end: (@Sendable () -> Void)?
    /// A bit for the owner, and one for the share.
    private let holders = Atomic<UInt8>(1)

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { release() }

    /// Ends the turn, unless there is a share that was not released. Every call after the first does nothing.
    func release() { leave(1) }

    /// Returns a share of this turn, which ends when both are released. A turn has one share.
    func share() -> Turn {
        holders.bitwiseOr(2, ordering: .acquiringAndReleasing)
        return Turn { self.leave(2) }
    }

    private func leave(_ holder: UInt8) {
        let (old, new) = holders.bitwiseAnd(~holder, ordering: .acquiringAndReleasing)
        if old != new && new == 0 { end.take()?() }
    }
}

extension Line {
    /// The turn of a node that has it, which lasts until the node has ended and the turn is released. To be called in
    /// the node's job.
    func turn(of node: LineNode) -> Turn {
        state.withLock { $0.hold(node) }
        return Turn { [self] in perform(change { $0.release(node) }) }
    }
}
