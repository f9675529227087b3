// A lease that lasts until a hold is let go of.

internal import Synchronization

extension Lease {
    /// The same as `use`, but the resource goes back when the hold is let go of too.
    func useHeld<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Resource, Hold) throws -> Future<T>
    ) -> Future<T> {
        let users = Users { self.giveBack() }
        let node = Node(source: nil, on: scheduler, .queued, Closure()) { [self] node, call in
            switch call {
            case .arrived: node.takeTurn(T.self) { try operation(resource, users.hold()) }
            case .over: users.leave(.node)
            case .unending: node.fallDormant(leavingQueue: true)
            case .enqueued, .heard, .aborted, .cancelled: return
            }
        }
        node.queue = ObjectIdentifier(self)
        ThreadState.here.serve(node)
        return Future(node: node)
    }
}

/// Who uses a lease: a node, and perhaps a hold. When the last one leaves, it is over.
private final class Users: Sendable {
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
