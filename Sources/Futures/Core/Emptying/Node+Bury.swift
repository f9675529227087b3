// Burying: how nodes are deallocated, without recursion.

extension Node {
    /// Releases what the node held.
    ///
    /// A chain of a million nodes would overflow the stack if each released its source; and so would a million values
    /// or closures that hold the next node each.
    func bury() {
        leaveDormant()
        // It waited for a future that never completes, and nobody held it: its turn is over.
        if traits.contains(.queued), !isSettled { ThreadState.here.serving { operation(self, .over) } }
        if parent != nil { releaseWhatItsJobReads() }
        let hasContexts = closureSlot.hasContext || operationSlot.hasContext
        if hasContexts || payload.type != nil || inner != nil || !localSlot.isEmpty || cellReference != nil {
            let thread = ThreadState.here
            Graveyard.of(thread)._withUnsafeGuaranteedRef { $0.bury(self, thread) }
        }
        releaseSources()
        scheduler._withUnsafeGuaranteedRef { if !$0.isImmortal { scheduler.release() } }
    }

    private func releaseSources() {
        endClaimOnSource()
        var next = source.take()
        while let reference = next {
            next = nil
            var node: Node? = reference.takeRetainedValue()
            // With the only reference, nobody else can come by the node: its source may be taken before it goes. First it
            // leaves the list of a dormant source, which it could not find any more in its own deinit.
            if isKnownUniquelyReferenced(&node) {
                node?.leaveDormant()
                node?.endClaimOnSource()
                next = node?.source.take()
            }
        }
    }
}

extension Closure {
    /// Releases what the closure holds, without recursion if that leads to other closures that do the same.
    // Consumed all the way: a copy that a debug build kept would be the last one, and released by recursion.
    consuming func bury() {
        let thread = ThreadState.here
        let graveyard = Graveyard.of(thread).takeUnretainedValue()
        graveyard.bury(consume self, thread)
    }
}

/// A thread's deallocated nodes, whose remains are released one after the other.
// Only its own thread has it: no exclusive access to check.
private final class Graveyard {
    @exclusivity(unchecked) private var objects: [AnyObject] = []
    @exclusivity(unchecked) private var closures: [Closure] = []
    @exclusivity(unchecked) private var operations: [Node.Step] = []
    @exclusivity(unchecked) private var payloads: [Payload] = []

    static func of(_ thread: ThreadState) -> Unmanaged<Graveyard> {
        if let known = thread.graveyard { return .fromOpaque(known.toOpaque()) }
        let graveyard = Unmanaged.passRetained(Graveyard())
        thread.graveyard = .fromOpaque(graveyard.toOpaque())
        return graveyard
    }

    /// Takes what `node` held, and releases it unless that is going on further out already.
    func bury(_ node: Node, _ thread: ThreadState) {
        if node.closureSlot.hasContext { closures.append(node.closureSlot.take(as: Closure.self)) }
        if node.operationSlot.hasContext { operations.append(node.operationSlot.take(as: Node.Step.self)) }
        if node.payload.type != nil { payloads.append(node.payload.take()) }
        if let inner = node.takeInner() { objects.append(inner) }
        if let local = node.takeLocal() { objects.append(local) }
        if let cell = node.takeCell() { objects.append(cell) }
        release(thread)
    }

    func bury(_ closure: consuming Closure, _ thread: ThreadState) {
        closures.append(consume closure)
        release(thread)
    }

    private func release(_ thread: ThreadState) {
        guard !thread.isBurying else { return }
        thread.isBurying = true
        repeat {
            while let object = objects.popLast() { withExtendedLifetime(object) {} }
            while let closure = closures.popLast() { withExtendedLifetime(closure) {} }
            while let operation = operations.popLast() { withExtendedLifetime(operation) {} }
            while var payload = payloads.popLast() { payload.destroy() }
        } while !(objects.isEmpty && closures.isEmpty && operations.isEmpty)
        thread.isBurying = false
    }
}
