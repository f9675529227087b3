// Hand-over: how recursion runs in constant memory (Contract/Memory.md).

internal import Synchronization

extension Node {
    /// Hands this node's listeners over to its inner node, and makes this node a link to the inner node.
    ///
    /// Does nothing unless this node has listeners, all of which wait for this node only to pass on its result, and none of
    /// which is a watcher. Does nothing for a queued node, for one that keeps something for its run or whose operation is
    /// called when it is cancelled, and while its source has left something unfinished. A cancel of a link is a cancel of
    /// the inner node.
    ///
    ///     before   a ──► self ──► inner ──► …       after   a ──► inner ──► …
    ///              b ──►                                    b ──►   ▲
    ///                                                              self (a link; released, unless the user holds it)
    ///
    /// So in `func loop() -> Future<T> { step().flatMap { loop() } }` the first future waits directly for the latest one.
    ///
    /// A hand-over is tried when a node gets an inner node, and when a node that has one gets a listener. It only tries to
    /// take the other locks that it needs: if one is taken, nothing is handed over, which costs only memory. (Links lead to
    /// the younger node. Scala's DefaultPromise links to the oldest one: then a listener that is attached through the link
    /// makes `outer.cancel()` do nothing.)
    func handOver() {
        guard word.load(ordering: .relaxed) != Word.pending,
            traits.isDisjoint(with: [.queued, .cancels]), let mine = lock()
        else { return }
        // A link would not dispose what this node keeps, nor refer to what its source has left unfinished.
        guard otherListenerCount == 0, localObject == nil, source?.unfinished == nil,
            let inner = inner?.takeUnretainedValue(), var theirs = inner.tryLock()
        else { return unlock(mine) }
        if previous != nil, mine.lockAll(waitingFor: self, movingTo: inner) {
            let reference = self.inner
            link(to: inner)
            // They release their references to this node, which the caller retains. If one of them is cancelled from now on,
            // the cancel looks for it in the inner node's list, which is locked.
            mine.unlockAll(nowWaitingFor: inner)
            let replaced = theirs.replace(self, by: mine)
            inner.unlock(theirs)
            storeWord(Word.linked)
            // The reference of the inner node's list to this node, and this node's to the inner node.
            withExtendedLifetime(replaced) {}
            reference?.release()
        } else {
            inner.unlock(theirs)
            unlock(mine)
        }
    }

    /// Makes all links that lead to this node, and this node itself, lead to `inner`.
    private func link(to inner: Node) {
        self.inner = nil
        switch (cell, inner.cell) {
        case (nil, nil):
            cell = LinkCell(inner)
            inner.cell = cell
        case (nil, let theirs?):
            cell = theirs
        case (let mine?, nil):
            mine.lead(to: .node(inner))
            inner.cell = mine
        case (let mine?, let theirs?):
            // Their cell, which is released earlier, leads to mine: so chains of cells stay short, however often this
            // happens. Mine leads to `inner` before theirs leads to mine: a listener of `inner` that leaves it now, and
            // knows it by a link with their cell, must not look for itself in this node's list.
            mine.lead(to: .node(inner))
            if mine !== theirs { theirs.lead(to: .cell(mine)) }
            inner.cell = mine
        }
    }
}

extension Listeners {
    /// Locks all listeners. Returns false, without any of the locks, if a lock is not free, or if a listener is a watcher,
    /// is `inner`, or waits for `node` for another reason than to pass on its result.
    fileprivate func lockAll(waitingFor node: Node, movingTo inner: Node) -> Bool {
        var isRefused = !preventCancel
        var count = 0
        forEach { listener in
            guard !isRefused, listener !== inner, !listener.traits.contains(.watcher), let its = listener.tryLock()
            else { return isRefused = true }
            if listener.passesOn(node) {
                count += 1
            } else {
                listener.unlock(its)
                isRefused = true
            }
        }
        guard isRefused else { return true }
        forEach(upTo: count) { $0.unlockUnchanged() }
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
    fileprivate func unlockUnchanged() { storeWord(word.load(ordering: .relaxed) & ~Word.locked) }
}
