// Burying: how nodes are deallocated, without recursion.

extension Node {
    /// Moves out what the node held, and releases it when no other node is being deallocated further out.
    ///
    /// A chain of a million nodes would overflow the stack if each released its source, or a value or closure that
    /// holds the next chain.
    func bury() {
        if source == nil && payload.type == nil && closure.isEmpty && cell == nil && local == nil { return }
        let thread = ThreadState.here
        let graveyard: Graveyard
        if let known = thread.graveyard {
            graveyard = unsafeDowncast(known, to: Graveyard.self)
        } else {
            graveyard = Graveyard()
            thread.graveyard = graveyard
        }
        graveyard.remains.append(takeRemains())
        graveyard.clear()
    }

    private func takeRemains() -> Remains {
        defer { closure = Closure() }
        return Remains(
            source: source.take(), inner: inner.take(), cell: cell.take(), local: local.take(), closure: closure,
            payload: payload.take())
    }
}

/// What a deallocated node held.
private struct Remains {
    let source: Node?
    let inner: Node?
    let cell: LinkCell?
    let local: (any Disposable)?
    let closure: Closure
    var payload: Payload
}

/// A thread's deallocated nodes, whose remains are released one after the other.
private final class Graveyard {
    var remains: [Remains] = []
    private var isBeingCleared = false

    func clear() {
        guard !isBeingCleared else { return }
        isBeingCleared = true
        while var last = remains.popLast() { last.payload.destroy() }
        isBeingCleared = false
    }
}
