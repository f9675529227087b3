// Listeners: the list of a pending node's listeners, from which any of them can be removed in O(1).

/// The list of a pending node's listeners: a ring, known by its last listener.
///
///     last ──► c ──next──► w ──next──► a ──next──► b ──next──┐      w: a watcher; watchers precede all others
///              ▲                                             │      a b c: in the order in which they were attached
///              └─────────────────────────────────────────────┘
///
/// The ring is doubly linked, because removing a listener from a singly linked one takes O(n). The list retains each of
/// its listeners once. It may only be used under the lock of the node whose list it is.
@usableFromInline
package struct Listeners {
    /// The address of the last listener, or zero if there is none. Addresses are multiples of 16, so the lowest bits are
    /// free for the other uses of the node's word.
    private(set) var last: UInt = Word.pending

    private var lastNode: Unmanaged<Node>? {
        UnsafeRawPointer(bitPattern: last).map { .fromOpaque($0) }
    }

    /// Whether there is a listener that is not a watcher, and so prevents a cancel. Watchers come first, so the last
    /// listener tells.
    var preventCancel: Bool {
        lastNode.map { !$0._withUnsafeGuaranteedRef { $0.traits.contains(.watcher) } } ?? false
    }

    var isEmpty: Bool { last == Word.pending }

    /// The first listener.
    var first: Unmanaged<Node>? { lastNode?.next }

    /// Adds `node` behind the others; before all of them if it is a watcher, so the latest watcher is the first.
    mutating func add(_ node: Node) {
        let new = Unmanaged.passRetained(node)
        guard let lastNode else {
            node.next = new.job
            node.previous = new
            last = new.address
            return
        }
        let first = lastNode.next!
        lastNode.next = new
        node.next = first.job
        node.previous = lastNode
        first.previous = new
        if !node.traits.contains(.watcher) { self.last = new.address }
    }

    /// Removes `node`. The list's reference passes to the caller, to be released without the lock.
    mutating func take(_ node: Node) -> Node {
        let taken = Unmanaged.passUnretained(node)
        let (next, previous) = (taken.next!, node.previous!)
        node.next = nil
        node.previous = nil
        if previous.address == taken.address {
            last = Word.pending
        } else {
            previous.next = next
            next.previous = previous
            if last == taken.address { last = previous.address }
        }
        return taken.takeRetainedValue()
    }

    /// Removes the first listener, and returns it.
    mutating func takeFirst() -> Node? {
        guard let first = lastNode?.next else { return nil }
        return take(first.takeUnretainedValue())
    }

    /// Replaces `node` by `others`, which must not be empty. The list's reference to `node` passes to the caller.
    mutating func replace(_ node: Node, by others: Listeners) -> Node {
        let replaced = Unmanaged.passUnretained(node)
        let (next, previous) = (replaced.next!, node.previous!)
        node.next = nil
        node.previous = nil
        if previous.address != replaced.address {
            let theirLast = others.lastNode!
            let theirFirst = theirLast.next!
            previous.next = theirFirst
            theirFirst.previous = previous
            theirLast.next = next
            next.previous = theirLast
        }
        if last == replaced.address { last = others.last }
        return replaced.takeRetainedValue()
    }

    /// Calls `body` with each listener, in order, or with the first `count` of them.
    func forEach(upTo count: Int = .max, _ body: (Node) -> Void) {
        guard let lastNode, count > 0 else { return }
        var node = lastNode.next!
        for number in 1... {
            let next = node.next!
            // The list retains it.
            node._withUnsafeGuaranteedRef(body)
            if number == count || node.address == lastNode.address { return }
            node = next
        }
    }

    /// Empties the list, and returns the listeners as jobs to be run, in order. `previous` stays set: it is only compared
    /// with nil from then on, and `wait(for:)` clears it.
    mutating func take() -> JobList {
        guard let lastNode else { return JobList() }
        last = Word.pending
        let first = lastNode.next!
        lastNode.next = nil
        return JobList(first: first.job, last: lastNode.job)
    }
}

// The links of a neighbor, without counting a reference to the neighbor.
extension Unmanaged where Instance == Node {
    fileprivate var address: UInt { UInt(bitPattern: toOpaque()) }
    fileprivate var job: Unmanaged<Job> { .fromOpaque(toOpaque()) }

    fileprivate var next: Unmanaged<Node>? {
        get { _withUnsafeGuaranteedRef { $0.next }.map { .fromOpaque($0.toOpaque()) } }
        nonmutating set { _withUnsafeGuaranteedRef { $0.next = newValue?.job } }
    }

    fileprivate var previous: Unmanaged<Node>? {
        get { _withUnsafeGuaranteedRef { $0.previous } }
        nonmutating set { _withUnsafeGuaranteedRef { $0.previous = newValue } }
    }
}
