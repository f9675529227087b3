// QueueCore: how an operation gets a resource when its turn has come.

/// A resource, and the line before it.
@usableFromInline
// Safe to share: `held` changes in the deinit only.
final class QueueCore<Resource: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var held: Resource?
    @usableFromInline let line: Line
    @usableFromInline let executeOn: Scheduler?

    init(_ resource: Resource, _ line: Line, executeOn scheduler: Scheduler? = nil) {
        held = resource
        self.line = line
        executeOn = scheduler
    }

    // Queues may be each other's resources, however many.
    deinit { if !_isPOD(Resource.self) { DeferredReleases.here.release(&held) } }

    @inlinable var resource: Resource { held.unsafelyUnwrapped }
}

// The closures capture this only: the object is their context then, and they allocate nothing. A
// `LineNode` does not retain its line: this object does. `lane` is that of a key.
extension QueueCore {
    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        in lane: Lane? = nil
    ) -> Future<T> {
        let node = LineNode(in: line, lane, on: scheduler, options, Closure(Following(operation))) {
            [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                node.startTime()
                return try node.closure.load(as: Following<Resource, T>.self).call(resource)
            }
        }
        node.enqueue()
        return Future(node: node)
    }

    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions, _ body: @escaping @Sendable (Resource) throws -> T,
        in lane: Lane? = nil
    ) -> Future<T> {
        let node = LineNode(in: line, lane, on: scheduler, options, Closure(Body(body))) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn {
                node.startTime()
                return try node.closure.load(as: Body<Resource, T>.self).call(resource)
            }
        }
        node.enqueue()
        return Future(node: node)
    }
}
