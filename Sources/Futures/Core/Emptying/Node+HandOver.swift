// Hand-over: how recursion runs in constant memory (Contract/Scale.md).

internal import Synchronization

extension Node {
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
    func handOver() {
        guard word.load(ordering: .relaxed) != Word.pending,
            traits.isDisjoint(with: [.queued, .cancels]), let mine = lock()
        else { return }
        guard otherCount == 0, !isDormant, let inner = inner?.takeUnretainedValue(),
            case .locked(var theirs) = inner.attempt()
        else { return unlock(mine) }
        if isListed, !inner.isDormant, mine.lockAll(waitingFor: self, movingTo: inner) {
            link(to: inner)
            // They waited for this node: their references to it go, but the caller has one. If one is cancelled from
            // now on, it is looked for in inner's list, when that is unlocked.
            mine.unlockAll(nowWaitingFor: inner)
            theirs.replace(self, by: mine)
            // Their claims go with them; this node's is none any more.
            inner.listenerCount += listenerCount - 1
            claimsInner = false
            inner.unlock(theirs)
            unlock(endedAs: Word.linked)
            // The list's reference to this node, and this node's to the inner one, which `inner` holds here.
            Unmanaged.passUnretained(self).release()
            Unmanaged.passUnretained(inner).release()
            inner.queued?.gainedListener()
        } else {
            inner.unlock(theirs)
            unlock(mine)
        }
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
            // Theirs, which lives shorter, leads to mine: so chains of cells stay short, however often this happens.
            if mine !== theirs { theirs.forward(to: mine) }
            mine.lead(to: inner)
            inner.cell = mine
        }
    }
}

extension Listeners {
    /// Locks all listeners, if each is free and only waits for `node`, and none is the node to move to.
    fileprivate func lockAll(waitingFor node: Node, movingTo inner: Node) -> Bool {
        var isRefused = !areHeard
        var count = 0
        forEach { listener in
            guard !isRefused, listener !== inner, !listener.traits.contains(.watcher),
                case .locked(let its) = listener.attempt()
            else { return isRefused = true }
            if listener.waits(for: node) {
                count += 1
            } else {
                listener.unlock(its)
                isRefused = true
            }
        }
        guard isRefused else { return true }
        forEach { listener in
            if count > 0 { listener.unlockUnchanged() }
            count -= 1
        }
        return false
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
        publish(word.load(ordering: .relaxed) & ~Word.locked)
    }
}
