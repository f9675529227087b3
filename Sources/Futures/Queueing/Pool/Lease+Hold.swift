// A lease that lasts until a hold is let go of.

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
            case .unending: ThreadState.here.letsSleep = true
            case .enqueued, .heard, .suspected, .cancelled: return
            }
        }
        node.queue = ObjectIdentifier(self)
        ThreadState.here.serve(node)
        return Future(node: node)
    }
}
