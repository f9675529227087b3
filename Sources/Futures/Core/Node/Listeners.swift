// Listeners: the list of a pending node's listeners, from which any of them can be removed in O(1).

internal import Synchronization

/// The list of a pending node's listeners: a ring, known by its last listener.
///
///     last ──► c ──next──► w ──next──► a ──next──► b ──next──┐      w: a watcher; watchers precede all others
///              ▲                                             │      a b c: in the order in which they were attached
///              └─────────────────────────────────────────────┘
///
/// The ring is doubly linked, because removing a listener from a singly linked one takes O(n). The list retains each of
/// its listeners once, except for the list of an unreachable node, which retains only lasting watchers. It may only be
/// used under the lock of the node whose list it is.
@usableFromInline
struct Listeners {
    /// The address of the last listener, or zero if there is none. Addresses are aligned, so the lowest bits are free
    /// for the other uses of the node's word.
    private(set) var last: UInt

    init(last: UInt) { self.last = last }

    private var lastNode: Unmanaged<Node>? {
        UnsafeRawPointer(bitPattern: last).map { Unmanaged<Node>.fromOpaque($0) }
    }

    /// Whether there is a listener that is not a watcher, and so prevents a cancel. Watchers come first, so the last
    /// listener tells.
    var preventCancel: Bool {
        lastNode.map { !$0.isWatcher } ?? false
    }

    var isEmpty: Bool { last == Word.pending }

    /// The first listener of a list that retains its listeners.
    var first: Unmanaged<Node>? { lastNode?.next }

    /// The listener, if there is exactly one, of a list that retains its nodes.
    var only: Node? {
        guard let lastNode, lastNode.next?.address == lastNode.address else { return nil }
        return lastNode.takeUnretainedValue()
    }

    /// Adds `node` behind the others; before all of them if it is a watcher, so the latest watcher is the first.
    /// Retains it if `retained`, which is false in the list of an unreachable node, except for lasting watchers.
    mutating func add(_ node: Node, retained: Bool) {
        let new = Unmanaged.passUnretained(node)
        if retained { _ = new.retain() }
        node.isListed = true
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

    /// Removes `node`. If the list retains its listeners, the caller has to release `node` once, after unlocking.
    mutating func remove(_ node: Node) {
        let address = Unmanaged.passUnretained(node).address
        node.isListed = false
        let next = Unmanaged.passUnretained(node).next!
        let previous = node.previous!
        node.next = nil
        node.previous = nil
        guard previous.address != address else { return last = Word.pending }
        previous.next = next
        next.previous = previous
        if last == address { last = previous.address }
    }

    /// Removes the first listener of a list that retains its listeners, and returns it.
    mutating func takeFirst() -> Node? {
        guard let first = lastNode?.next?.takeRetainedValue() else { return nil }
        remove(first)
        return first
    }

    /// Removes `node` from a list that retains its listeners. The list's reference passes to the caller.
    mutating func take(_ node: Node) -> Node {
        remove(node)
        return Unmanaged.passUnretained(node).takeRetainedValue()
    }

    /// Replaces `node` by `others`, which must not be empty. The list's reference to `node` passes to the caller.
    mutating func replace(_ node: Node, by others: Listeners) {
        let next = Unmanaged.passUnretained(node).next!
        let previous = node.previous!
        node.isListed = false
        node.next = nil
        node.previous = nil
        if previous.address != Unmanaged.passUnretained(node).address {
            let theirLast = others.lastNode!
            let theirFirst = theirLast.next!
            previous.next = theirFirst
            theirFirst.previous = previous
            theirLast.next = next
            next.previous = theirLast
        }
        if last == Unmanaged.passUnretained(node).address { last = others.last }
    }

    /// Calls `body` with each listener, in order. Not for the list of an unreachable node, where any listener may be in
    /// its deinit.
    func forEach(_ body: (Node) -> Void) {
        guard let lastNode else { return }
        var node = lastNode.next!
        while true {
            let next = node.next!
            // The list retains it.
            node._withUnsafeGuaranteedRef(body)
            if node.address == lastNode.address { return }
            node = next
        }
    }

    /// Returns the first listeners, at most `count`, of a list that retains its listeners.
    func prefix(_ count: Int) -> [Node] {
        var nodes: [Node] = []
        forFirst(count) { nodes.append($0.takeUnretainedValue()) }
        return nodes
    }

    /// Calls `body` with the first listeners, at most `count`, of a list that retains its listeners.
    @inline(__always)
    func forFirst(_ count: Int, _ body: (Unmanaged<Node>) -> Void) {
        guard let lastNode, count > 0 else { return }
        var node = lastNode.next!
        for number in 1... {
            body(node)
            if number == count || node.address == lastNode.address { return }
            node = node.next!
        }
    }

    /// Makes the list of an unreachable node, `node`, retain its listeners. A listener that is being deallocated leaves
    /// it.
    @inline(never)
    mutating func retainAll(listeningTo node: Node) {
        guard let lastNode else { return }
        var all = [lastNode.next!]
        while let listener = all.last, listener.address != lastNode.address { all.append(listener.next!) }
        for listener in all {
            if listener.isLasting {
                listener._withUnsafeGuaranteedRef { $0.source = .passRetained(node) }
            } else if !listener.retainIfAlive() {
                listener._withUnsafeGuaranteedRef { remove($0) }
            }
        }
    }

    /// Empties the list, and returns the listeners as jobs to be run, in order.
    mutating func take() -> JobList {
        guard let lastNode else { return JobList() }
        last = Word.pending
        let first = lastNode.next!
        lastNode.next = nil
        return JobList(first: first.job, last: lastNode.job)
    }
}

// The links of a neighbor are read and written in place, without a reference to the neighbor. An unreachable node's
// listener may be in its deinit, where it waits for the lock that is held here. If it is not yet there, a reference
// taken here could become the last one, and releasing that would call the deinit under the lock for which the deinit
// waits. Unsafe: the stored properties must be at the offsets in `Field`. Tested by `ListenersTests` and
// `NeverStressTests`.
extension Unmanaged where Instance == Node {
    fileprivate var address: UInt { UInt(bitPattern: toOpaque()) }
    fileprivate var job: Unmanaged<Job> { Unmanaged<Job>.fromOpaque(toOpaque()) }

    fileprivate var isLasting: Bool { (toOpaque() + Field.traits).load(as: Traits.self).contains(.lasting) }

    /// Retains the listener of an unreachable node, unless its last reference is gone. To be called under the lock of
    /// the node whose list has the listener: its deinit waits for that lock, so its memory is valid.
    // If the listener's deinit has begun, `WeakNode` returns nil. The reference that `takeUnretainedValue` takes is
    // held until the list has its own: if it became the last one, releasing it here would run the deinit under this
    // lock. A deinit that has begun waits for this lock, so this reference is dropped in time. Held by
    // `NeverStressTests`.
    fileprivate func retainIfAlive() -> Bool {
        let listener = takeUnretainedValue()
        return withExtendedLifetime(listener) {
            guard let node = WeakNode(listener).node else { return false }
            _ = Unmanaged.passRetained(node)
            return true
        }
    }

    fileprivate var isWatcher: Bool { (toOpaque() + Field.traits).load(as: Traits.self).contains(.watcher) }

    fileprivate var next: Unmanaged<Node>? {
        get { link(Field.next) }
        nonmutating set { set(Field.next, newValue) }
    }

    fileprivate var previous: Unmanaged<Node>? {
        get { link(Field.previous) }
        nonmutating set { set(Field.previous, newValue) }
    }

    private func link(_ offset: Int) -> Unmanaged<Node>? {
        UnsafeRawPointer(bitPattern: (toOpaque() + offset).load(as: UInt.self)).map { .fromOpaque($0) }
    }

    private func set(_ offset: Int, _ link: Unmanaged<Node>?) {
        (toOpaque() + offset).storeBytes(of: link?.address ?? 0, as: UInt.self)
    }
}

/// The offsets of a node's links and traits from the start of the object. They follow the object's header, in the order
/// of their declaration.
// Constants: offsets that were looked up once at run time made a map 6 % slower.
enum Field {
    private static var word: Int { MemoryLayout<UInt>.size }
    static var next: Int { 2 * word }
    static var previous: Int { 3 * word + MemoryLayout<Atomic<UInt>>.size }
    static var traits: Int { 4 * word + MemoryLayout<Atomic<UInt>>.size }
}
