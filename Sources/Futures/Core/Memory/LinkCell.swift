// LinkCell: where the links of a chain lead.

/// Where links lead: one for all the links of a chain, so that one which the user holds costs O(1).
final class LinkCell: Sendable {
    private enum Target {
        case node(Node)
        /// Two chains of links have met.
        case cell(LinkCell)
    }

    private let target: Locked<Target>

    init(_ node: Node) {
        target = Locked(.node(node))
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
