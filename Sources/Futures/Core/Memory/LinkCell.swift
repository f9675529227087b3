// LinkCell: the node to which the links of a chain lead.

/// The target of links. All links of a chain share one cell, or a short chain of cells, so a link that the user holds
/// costs O(1), not all the links behind it.
@usableFromInline
final class LinkCell: Sendable {
    enum Target {
        case node(Node)
        /// The chain has met another chain of links, which has this cell.
        case cell(LinkCell)
    }

    /// Nil while the cell is being released.
    private let target: Locked<Target?>

    init(_ node: Node) {
        target = Locked(.node(node))
    }

    // Through the list, because a long chain of cells would overflow the stack.
    deinit {
        let releases = DeferredReleases.here
        releases.collect { if case .cell(let next)? = target.withLock({ $0.take() }) { releases.add(next) } }
    }

    /// The node to which all the links lead.
    var node: Node {
        var cell = self
        while true {
            switch cell.target.withLock({ $0! }) {
            case .node(let node):
                if cell !== self { lead(to: .cell(cell)) }
                return node
            case .cell(let next): cell = next
            }
        }
    }

    /// Makes the links lead to a younger node, or to the target of another cell.
    func lead(to new: Target) {
        let old = target.withLock { target in
            defer { target = new }
            return target
        }
        // Released without the lock.
        withExtendedLifetime(old) {}
    }
}

/// What some nodes have, and none has both: retained once, and released by hand, as in `Kept`.
@usableFromInline
enum ParentOrCell {
    /// The node to which a listener of the library reports.
    case parent(Unmanaged<Node>)
    /// The cell of the links that lead to a node; or, if it is a link, of that link.
    case cell(Unmanaged<LinkCell>)

    func release() {
        switch self {
        case .parent(let parent): parent.release()
        case .cell(let cell): cell.release()
        }
    }
}

extension Node {
    var cell: LinkCell? {
        get { if case .cell(let cell)? = parentOrCell { cell.takeUnretainedValue() } else { nil } }
        set {
            _ = takeCell()
            parentOrCell = newValue.map { .cell(.passRetained($0)) }
        }
    }

    /// Removes the cell, for the caller to release without a lock.
    func takeCell() -> LinkCell? {
        guard case .cell(let cell)? = parentOrCell else { return nil }
        parentOrCell = nil
        return cell.takeRetainedValue()
    }

    /// The node that this one is linked to; this node itself, if it is no link.
    @inlinable
    package var resolved: Node { isLink ? target : self }

    /// The node at the end of the links that start at this node.
    @usableFromInline
    var target: Node {
        var node = self
        while node.isLink { node = node.cell!.node }
        return node
    }
}
