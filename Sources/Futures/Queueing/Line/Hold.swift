// Hold: what keeps a turn when its operation is over.

internal import Synchronization

/// Keeps the turn of an operation until it is let go of, also when that operation is over before.
///
/// It is let go of at the latest when nobody holds it.
final class Hold: Sendable {
    private let release: @Sendable () -> Void
    private let isReleased = Atomic<Bool>(false)

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { letGo() }

    func letGo() {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        release()
    }

    /// Two in place of this one, which keep the turn until both are let go of.
    func split() -> (Hold, Hold) {
        let users = Users { self.letGo() }
        return (Hold { users.leave(.node) }, users.hold())
    }
}

/// Who needs the same: a node, and perhaps a hold. When the last one leaves, it is over.
final class Users: Sendable {
    enum User: UInt8 {
        case node = 1
        case hold = 2
    }

    private let present = Atomic<UInt8>(User.node.rawValue)
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    func hold() -> Hold {
        present.bitwiseOr(User.hold.rawValue, ordering: .acquiringAndReleasing)
        return Hold { self.leave(.hold) }
    }

    /// Every call of the same user after the first does nothing.
    func leave(_ user: User) {
        let (old, new) = present.bitwiseAnd(~user.rawValue, ordering: .acquiringAndReleasing)
        if old != new && new == 0 { end() }
    }
}

extension Line {
    /// Keeps the turn of a node that has it. To be called in its job.
    func hold(_ node: LineNode) -> Hold {
        state.withLock { $0.hold(node) }
        // What has the node's turn may well be kept by it.
        return Hold { [self, weak node, lane = node.lane] in
            // Not loaded under the lock: it may be the last reference by then.
            let node = node
            perform(state.withLock { $0.release(node, lane.map(Unmanaged.passUnretained)) })
        }
    }
}

extension QueueCore {
    /// The same as `enqueue`, but the turn lasts until the hold is let go of too.
    func enqueueHeld<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions, in lane: Lane? = nil,
        _ operation: @escaping @Sendable (Resource, Hold) throws -> Future<T>
    ) -> Future<T> {
        let node = LineNode(in: line, lane, on: scheduler, options) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                node.startTime()
                return try operation(resource, line.hold(node))
            }
        }
        node.enqueue()
        return Future(node: node)
    }
}
