// A lease that lasts until a hold is let go of.

extension Lease {
    /// The same as `use`, but the resource goes back when the hold is let go of too.
    func useHeld<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Resource, Hold) throws -> Future<T>
    ) -> Future<T> {
        let users = Users { self.giveBack() }
        let node = Node(source: nil, on: scheduler, .queued, Closure()) { [self] node, event in
            switch event {
            case .arrived: node.takeTurn(T.self) { try operation(resource, users.hold()) }
            case .ended: users.leave(.node)
            case .cannotComplete: ThreadState.here.letsSleep = true
            case .enqueued, .gainedListener, .suspected, .cancelled: return
            }
        }
        node.queue = ObjectIdentifier(self)
        ThreadState.here.serve(node)
        return Future(node: node)
    }
}
