// HeldTurns: turns that are given back when all that a cancel disposes has been disposed.

internal import Synchronization

/// The last job of a cancel, which gives back turns in queues when everything that the cancel disposes has been disposed:
/// an operation's resource is in use until then.
///
///     cancel ──► the operation ──► join ──► a source ── its disposable is being disposed by another thread
///                     │             └─────► a source ── its disposable is disposed by this cancel
///                     └── its turn: held until both have returned
///
/// Each of these holds the turns: the job itself, each disposable and handler that the cancel calls, each node that another
/// thread is disposing, and each node whose operation is running and has yet to return its disposable. What such a disposable
/// or handler cancels, directly or because it is a combination, is part of the cancel: if that finds turns or disposals, it
/// makes another object, which holds the outer one (`held`).
// Safe to share: `turns` and `outer` belong to the thread that counts down to zero. Before, nobody accesses it.
final class HeldTurns: Job, Disposable, @unchecked Sendable {
    @exclusivity(unchecked) private var turns: JobList
    @exclusivity(unchecked) private var outer: HeldTurns?
    private let disposing: Node?
    private let holders = Atomic<Int>(1)

    /// `outer`: turns that are given back after these. `disposing`: a node that another thread, or this one further out,
    /// is disposing.
    init(_ turns: consuming JobList, within outer: HeldTurns?, until disposing: Node? = nil) {
        self.turns = turns
        self.outer = outer
        self.disposing = disposing
        super.init()
        outer?.hold()
    }

    /// Adds a holder, for which it returns this object. Requires one.
    @discardableResult
    func hold() -> HeldTurns {
        holders.add(1, ordering: .relaxed)
        return self
    }

    /// Removes a holder; the last one gives back the turns, and then removes itself from the outer ones, and so on.
    func release() {
        var current: HeldTurns? = self
        while let held = current, held.holders.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            ThreadState.here.serveNext(held.turns.take())
            current = held.outer.take()
        }
    }

    func dispose() { release() }

    /// Calls `body` with the nodes whose turns these are. The caller is a holder: until it is none, nobody changes them.
    func forEachTurn(_ body: (Node) -> Void) {
        // An explicit stack, because each node of a chain that disposes something adds a level.
        var pending = [self]
        while let held = pending.popLast() {
            held.turns.forEach { job in
                if let node = job as? Node { body(node) } else if let held = job as? HeldTurns { pending.append(held) }
            }
            if let outer = held.outer { pending.append(outer) }
        }
    }

    override func run() {
        guard let disposing else { return release() }
        // Until its result is published.
        _ = Node.listener(to: disposing, [.watcher, .lasting]) { [self] _ in release() }
    }

    override var endsTurn: Bool { true }

    // The callbacks ahead of it are called first.
    override var urgency: Urgency { .following }
}

extension Node {
    /// Calls `body`, which cancels what this node's closure has returned: a part of the cancel of this node, which has
    /// settled. To be called in the node's job.
    func holdingItsTurns(_ body: () -> Void) {
        ThreadState.here.holding((local as? HeldTurns)?.hold(), body)
    }
}

extension ThreadState {
    /// The turns that the disposable or handler in progress holds. What a loop inside of that runs is no part of it.
    var held: HeldTurns? {
        guard let held = storage.pointee.held, held.frame == storage.pointee.frame else { return nil }
        return unsafeDowncast(held.turns.takeUnretainedValue(), to: HeldTurns.self)
    }

    /// The turns that a disposable or handler in progress holds, perhaps further out.
    var heldFurtherOut: HeldTurns? {
        storage.pointee.held.map { unsafeDowncast($0.turns.takeUnretainedValue(), to: HeldTurns.self) }
    }

    /// Calls `body`, which disposes something or calls a handler, and removes the holder that was added for that.
    func holding(_ turns: HeldTurns?, _ body: () -> Void) {
        guard let turns else { return body() }
        let outer = storage.pointee.held
        storage.pointee.held = (.passUnretained(turns), storage.pointee.frame)
        body()
        storage.pointee.held = outer
        turns.release()
    }
}
