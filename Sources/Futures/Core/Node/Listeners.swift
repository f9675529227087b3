// Listeners: the list of a pending node's listeners, of which any can leave in O(1).

/// The list of a pending node's listeners: a ring, known by its last one.
///
///     last ──► c ──next──► w ──next──► a ──next──► b ──next──┐      w: a watcher; they stand before all others
///              ▲                                             │      a b c: in the order in which they came
///              └─────────────────────────────────────────────┘
///
/// Doubly linked, else leaving were O(n). Each listener is retained once by the list, but for a dormant node's. Only to
/// be used under the lock of the node whose list it is.
@usableFromInline
struct Listeners {
    /// The last listener's address; none if zero. It is aligned, so that the word has its lowest bits for itself.
    private(set) var last: UInt

    init(last: UInt) { self.last = last }

    private var lastNode: Unmanaged<Node>? {
        UnsafeRawPointer(bitPattern: last).map { Unmanaged<Node>.fromOpaque($0) }
    }

    /// Whether anyone but watchers listens: they stand first, so the last one tells.
    var areHeard: Bool {
        lastNode.map { !$0.isWatcher } ?? false
    }

    var isEmpty: Bool { last == Word.pending }

    /// The first one, of a list that retains its nodes.
    var first: Unmanaged<Node>? { lastNode?.next }

    /// Adds `node` behind the others, or a watcher before them, and retains it, unless the list's node is dormant.
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

    /// Takes `node` out. The caller has to release it once, after unlocking.
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

    /// Takes out the first one of a list that retains its nodes.
    mutating func takeFirst() -> Node? {
        guard let first = lastNode?.next?.takeRetainedValue() else { return nil }
        remove(first)
        return first
    }

    /// Takes `node` out of a list that retains its nodes; what is returned has the list's reference.
    mutating func take(_ node: Node) -> Node {
        remove(node)
        return Unmanaged.passUnretained(node).takeRetainedValue()
    }

    /// Puts `others`, which are not empty, in the place of `node`; the list's reference to that is the caller's then.
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

    /// Calls `body` with each, in order. Not for a dormant node's list, of which any may be going.
    func forEach(_ body: (Node) -> Void) {
        guard let lastNode else { return }
        var node = lastNode.next!
        while true {
            let next = node.next!
            body(node.takeUnretainedValue())
            if node.address == lastNode.address { return }
            node = next
        }
    }

    /// The first ones, at most `count`, of a list that retains its nodes.
    func prefix(_ count: Int) -> [Node] {
        guard let lastNode else { return [] }
        var nodes: [Node] = []
        var node = lastNode.next!
        while nodes.count < count {
            nodes.append(node.takeUnretainedValue())
            if node.address == lastNode.address { break }
            node = node.next!
        }
        return nodes
    }

    /// Opens the ring: the listeners as jobs to be served, in order.
    mutating func take() -> JobList {
        guard let lastNode else { return JobList() }
        last = Word.pending
        let first = lastNode.next!
        lastNode.next = nil
        return JobList(first: first.job, last: lastNode.job)
    }
}

// The links of a neighbour are read and written in place, without a reference to it: a dormant node's listener may be
// in its deinit and wait for this very lock; or else our reference could be the last one, whose release would do so.
// Unsafe: stored properties lie where `Field` says. Held by `ListenersTests`, and `NeverStressTests`.
extension Unmanaged where Instance == Node {
    fileprivate var address: UInt { UInt(bitPattern: toOpaque()) }
    fileprivate var job: Unmanaged<Job> { Unmanaged<Job>.fromOpaque(toOpaque()) }

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

/// How far from an object's beginning its links and traits are: behind the object's header, in the order of
/// declaration.
// Constants: looked up once at run time, they made a map 6 % slower.
enum Field {
    private static var word: Int { MemoryLayout<UInt>.size }
    static var next: Int { 2 * word }
    static var previous: Int { 4 * word }
    static var traits: Int { 5 * word }
}
