// Hand-over: how recursion runs in constant memory (rule 20).

internal import Synchronization

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

    /// If this node waits for its inner one only to pass on the result, and all that listen to it do just that too:
    /// hands them to the inner node and becomes a link to it.
    ///
    ///     before   a ──► self ──► inner ──► …       after   a ──► inner ──► …
    ///              b ──►                                    b ──►   ▲
    ///                                                              self (a link; gone, unless the user holds it)
    ///
    /// So in `func loop() -> Future<T> { step().flatMap { loop() } }` the first future always waits for the latest.
    /// It is tried when a node gets an inner one, and when a node that has one gets a listener that waits for it. The
    /// locks are only tried, as several are needed: if one is taken nothing is handed over, which is always correct
    /// and costs only memory. (Links lead to the younger node. Scala's DefaultPromise links to the oldest: then a
    /// listener attached through the link makes `outer.cancel()` a no-op.)
    ///
    /// False if it has found that this node waits for itself.
    func handOver() -> Bool {
        guard word.load(ordering: .relaxed) != Word.pending, local == nil,
            traits.isDisjoint(with: [.sequel, .cancels]), let mine = lock()
        else { return true }
        guard !isDormant, let inner = inner?.takeUnretainedValue(), case .locked(var theirs) = inner.attempt()
        else {
            unlock(mine)
            return true
        }
        switch isListed && !inner.isDormant ? mine.lockAll(waitingFor: self, movingTo: inner) : .refused {
        case .refused:
            inner.unlock(theirs)
            unlock(mine)
        case .cycle:
            inner.unlock(theirs)
            unlock(mine)
            return false
        case .locked:
            link(to: inner)
            // They waited for this node: their references to it go, but the caller has one. If one is cancelled from now
            // on, it is looked for in inner's list, when that is unlocked.
            mine.unlockAll(nowWaitingFor: inner)
            theirs.replace(self, by: mine)
            inner.unlock(theirs)
            unlock(endedAs: Word.linked)
            // The list's reference to this node, and this node's to the inner one, which `inner` holds here.
            Unmanaged.passUnretained(self).release()
            Unmanaged.passUnretained(inner).release()
        }
        return true
    }

    /// Makes all that leads to this node lead to `inner`.
    private func link(to inner: Node) {
        self.inner = nil
        switch (cell, inner.cell) {
        case (nil, nil):
            cell = LinkCell(inner)
            inner.cell = cell
        case (nil, let theirs?):
            cell = theirs
        case (let mine?, nil):
            mine.lead(to: inner)
            inner.cell = mine
        case (let mine?, let theirs?):
            if mine !== theirs { mine.forward(to: theirs) }
        }
    }
}

extension Listeners {
    fileprivate enum Locking {
        case locked
        /// Some listener wants more than to pass on the result, or is busy.
        case refused
        /// The node to move to is one of the listeners: it waits for itself.
        case cycle
    }

    /// Locks all listeners, if each only waits for `node`.
    fileprivate func lockAll(waitingFor node: Node, movingTo inner: Node) -> Locking {
        var answer = areHeard ? Locking.locked : .refused
        var locked = 0
        forEach { listener in
            guard answer == .locked else { return }
            if listener === inner {
                answer = .cycle
            } else if !listener.traits.contains(.watcher), case .locked(let its) = listener.attempt() {
                if listener.waits(for: node) {
                    locked += 1
                } else {
                    listener.unlock(its)
                    answer = .refused
                }
            } else {
                answer = .refused
            }
        }
        guard answer != .locked else { return .locked }
        forEach { listener in
            if locked > 0 { listener.unlockUnchanged() }
            locked -= 1
        }
        return answer
    }

    fileprivate func unlockAll(nowWaitingFor inner: Node) {
        forEach { listener in
            listener.inner?.release()
            listener.inner = .passRetained(inner)
            listener.unlockUnchanged()
        }
    }
}

extension Node {
    fileprivate func unlockUnchanged() {
        word.store(word.load(ordering: .relaxed) & ~Word.locked, ordering: .releasing)
    }
}
