// Listeners of the library: nodes that call a handler in place when another node settles.

extension Node {
    /// What the handler of a listener is called with.
    struct Arrival {
        /// The parent of the listener, if it has one.
        let parent: Node?
        /// The node that has settled, which is no link.
        let child: Node
    }

    /// Returns a listener that calls `handler` in place when `source` settles. If the listener is cancelled before, it
    /// does not call it.
    ///
    /// The handler must not capture the parent, which would retain itself. `isAttached`: false if the caller attaches
    /// the listener.
    static func listener(
        to source: Node, for parent: Node? = nil, _ traits: Traits = [], isAttached: Bool = true,
        handler: @escaping @Sendable (Arrival) -> Void
    ) -> Node {
        let listening = Closure(Listening(call: handler))
        let listener = Node(source: .some(source), on: .inPlace, [traits, .listens], listening) { node, _ in
            let parent = node.parent
            if let parent, let left = node.arrived.unfinished { parent.takeUnretainedValue().meet(left) }
            node.closure.load(as: Listening.self).call(
                Arrival(parent: parent?.takeUnretainedValue(), child: node.arrived.takeUnretainedValue()))
            let listeners = node.lockToSettleInJob()
            // Taken under the lock, because a node that settles releases its parent.
            node.parentOrCell = nil
            // With nothing: no code reads the result of a listener.
            if let listeners { node.settleInJob(Word.success, listeners) }
            node.releaseWhatItsJobReads()
            parent?.release()
        }
        listener.parentOrCell = parent.map { .parent(.passRetained($0)) }
        if isAttached { listener.attach() }
        return listener
    }

    /// The node to which this listener reports, if there is one.
    package var parent: Unmanaged<Node>? { if case .parent(let parent)? = parentOrCell { parent } else { nil } }

    /// A handler that completes the parent with the child's result.
    static let completingParent: @Sendable (Arrival) -> Void = { $0.parent?.settleFromOutside(copying: $0.child) }
}
