// LinkCell: where the links of a chain lead.

/// Where links lead: one for all the links of a chain, so that one which the user holds costs O(1).
final class LinkCell: Sendable {
    private enum Target {
        case node(Node)
        /// Two chains of links have met.
        case cell(LinkCell)
        /// It is being released.
        case nothing
    }

    private let target: Locked<Target>

    init(_ node: Node) {
        target = Locked(.node(node))
    }

    deinit {
        // One after the other, as a long chain would overflow the stack.
        var next = takeCell()
        while isKnownUniquelyReferenced(&next) { next = next?.takeCell() }
    }

    private func takeCell() -> LinkCell? {
        target.withLock { target in
            guard case .cell(let next) = target else { return nil }
            target = .nothing
            return next
        }
    }

    /// The node that all the links lead to.
    var node: Node {
        var cell = self
        while true {
            switch cell.target.withLock({ $0 }) {
            case .node(let node):
                if cell !== self { forward(to: cell) }
                return node
            case .cell(let next): cell = next
            case .nothing: fatalError("A link leads nowhere. This is a fault of the library: please report it.")
            }
        }
    }

    /// Leads the links to a younger node.
    func lead(to node: Node) {
        let old = target.withLock { target in
            defer { target = .node(node) }
            return target
        }
        withExtendedLifetime(old) {}
    }

    /// Leads the links to where `other` leads.
    func forward(to other: LinkCell) {
        let old = target.withLock { target in
            defer { target = .cell(other) }
            return target
        }
        withExtendedLifetime(old) {}
    }
}

extension Node {
    /// Where this node's links lead: those that lead to it, or its own.
    var cell: LinkCell? {
        get { cellReference?.takeUnretainedValue() }
        set {
            let old = cellReference
            cellReference = newValue.map { .passRetained($0) }
            old?.release()
        }
    }

    /// Gives away the reference to the cell.
    func takeCell() -> LinkCell? { cellReference.take()?.takeRetainedValue() }

    /// The node that this one is linked to, else itself.
    @inlinable
    var resolved: Node {
        isLink ? target : self
    }

    @usableFromInline
    var target: Node {
        var node = self
        while node.isLink { node = node.cell!.node }
        return node
    }
}
