// Station: how an operation gets a resource when its turn has come.

/// A resource, and the line before it.
@usableFromInline
// Safe to share: `held` changes in the deinit only.
final class Station<Resource: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var held: Resource?
    @usableFromInline let line: WaitingLine
    let executeOn: Scheduler?

    init(_ resource: Resource, _ line: WaitingLine, executeOn scheduler: Scheduler? = nil) {
        held = resource
        self.line = line
        executeOn = scheduler
    }

    // Queues may be each other's resources, however many.
    deinit { if !_isPOD(Resource.self) { DeferredReleases.here.release(&held) } }

    @inlinable var resource: Resource { held.unsafelyUnwrapped }

    /// Where an operation runs that was given without `on:`: where its actor says, or this queue, or it was attached.
    @usableFromInline
    func scheduler(inferred: Scheduler, isIsolated: Bool) -> Scheduler {
        isIsolated ? inferred : executeOn ?? inferred
    }
}

// The closures capture this only: the object is their context then, and they allocate nothing.
extension Station {
    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        if terms.isTimed { return enqueueTimed(on: scheduler, terms, operation) }
        let node = Node(
            source: nil, on: scheduler, terms.traits, Closure(Following(operation)), origin: terms.origin
        ) { [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node) }
            let waits = node.takeTurn(T.self) { try node.closure.load(as: Following<Resource, T>.self).call(resource) }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node)
        return Future(node: node)
    }

    @inlinable
    func enqueueTimed<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let node = Node(
            source: nil, on: scheduler, terms.traits, Closure(Following(operation)), origin: terms.origin
        ) { [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node, terms) }
            let waits = node.takeTurn(T.self) {
                terms.limitRunning(of: node)
                return try node.closure.load(as: Following<Resource, T>.self).call(resource)
            }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node, terms)
        return Future(node: node)
    }
}

extension Station {
    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ body: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        if terms.isTimed { return enqueueTimed(on: scheduler, terms) { Future(try body($0)) } }
        let node = Node(source: nil, on: scheduler, terms.traits, Closure(Body(body)), origin: terms.origin) {
            [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node) }
            node.takeTurn { try node.closure.load(as: Body<Resource, T>.self).call(resource) }
        }
        line.enqueue(node)
        return Future(node: node)
    }
}

extension Station<Void> {
    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ body: @escaping @Sendable () throws -> T
    ) -> Future<T> {
        if terms.isTimed { return enqueueTimed(on: scheduler, terms) { Future(try body()) } }
        let node = Node(source: nil, on: scheduler, terms.traits, Closure(Producing(body)), origin: terms.origin) {
            [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node) }
            node.takeTurn { try node.closure.load(as: Producing<T>.self).call() }
        }
        line.enqueue(node)
        return Future(node: node)
    }

    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        if terms.isTimed { return enqueueTimed(on: scheduler, terms) { try operation() } }
        let node = Node(
            source: nil, on: scheduler, terms.traits, Closure(Beginning(operation)), origin: terms.origin
        ) { [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node) }
            if node.takeTurn(T.self, { try node.closure.load(as: Beginning<T>.self).call() }) { line.hasJoined(node) }
        }
        line.enqueue(node)
        return Future(node: node)
    }
}
