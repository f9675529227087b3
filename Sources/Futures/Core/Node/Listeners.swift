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
        lastNode.map { !$0._withUnsafeGuaranteedRef { $0.traits.contains(.watcher) } } ?? false
    }

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
        let first = lastNode._withUnsafeGuaranteedRef { last in
            defer { last.next = new.job }
            return last.next!
        }
        node.next = first
        node.previous = lastNode
        first.withNode { $0.previous = new }
        if !node.traits.contains(.watcher) { self.last = new.address }
    }

    /// Takes `node` out. The caller has to release it once, after unlocking.
    mutating func remove(_ node: Node) {
        let address = Unmanaged.passUnretained(node).address
        node.isListed = false
        let next = node.next!
        let previous = node.previous!
        node.next = nil
        node.previous = nil
        guard previous.address != address else { return last = Word.pending }
        previous._withUnsafeGuaranteedRef { $0.next = next }
        next.withNode { $0.previous = previous }
        if last == address { last = previous.address }
    }

    /// Puts `others`, which are not empty, in the place of `node`; the list's reference to that is the caller's then.
    mutating func replace(_ node: Node, by others: Listeners) {
        let next = node.next!
        let previous = node.previous!
        node.isListed = false
        node.next = nil
        node.previous = nil
        if previous.address != Unmanaged.passUnretained(node).address {
            let theirLast = others.lastNode!
            let theirFirst = theirLast._withUnsafeGuaranteedRef { $0.next! }
            previous._withUnsafeGuaranteedRef { $0.next = theirFirst }
            theirFirst.withNode { $0.previous = previous }
            theirLast._withUnsafeGuaranteedRef { $0.next = next }
            next.withNode { $0.previous = theirLast }
        }
        if last == Unmanaged.passUnretained(node).address { last = others.last }
    }

    /// Calls `body` with each, in order.
    func forEach(_ body: (Node) -> Void) {
        guard let lastNode else { return }
        var job = lastNode._withUnsafeGuaranteedRef { $0.next! }
        while true {
            let next = job._withUnsafeGuaranteedRef { $0.next! }
            job.withNode(body)
            if job.toOpaque() == lastNode.toOpaque() { return }
            job = next
        }
    }

    /// Opens the ring: the listeners as jobs to be served, in order.
    mutating func take() -> JobList {
        guard let lastNode else { return JobList() }
        last = Word.pending
        let first = lastNode._withUnsafeGuaranteedRef { last in
            defer { last.next = nil }
            return last.next!
        }
        return JobList(first: first, last: lastNode.job)
    }
}

extension Unmanaged where Instance == Node {
    fileprivate var address: UInt { UInt(bitPattern: toOpaque()) }
    fileprivate var job: Unmanaged<Job> { Unmanaged<Job>.fromOpaque(toOpaque()) }
}

extension Unmanaged where Instance == Job {
    /// In a node's list there are nodes only.
    fileprivate func withNode(_ body: (Node) -> Void) {
        _withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Node.self)) }
    }
}
