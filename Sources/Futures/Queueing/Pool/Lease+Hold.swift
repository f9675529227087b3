// A lease that lasts until a hold is let go of.

extension Lease {
    /// The same as `use`, but the resource goes back when the hold is let go of too.
    func useHeld<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Resource, Hold) throws -> Future<T>
    ) -> Future<T> {
        let users = Users { self.giveBack() }
        let node = LeaseNode(on: scheduler, endingBy: { users.leave(.node) }) { [self] node, _ in
            node.queued!.takeTurn(T.self) { try operation(resource, users.hold()) }
        }
        ThreadState.here.serve(node)
        return Future(node: node)
    }
}
