// QueueCore: how an operation gets a resource when its turn has come.

/// A resource, and the line before it.
@usableFromInline
// Safe to share: `held` changes in the deinit only.
final class QueueCore<Resource: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var held: Resource?
    @usableFromInline let line: Line
    let executeOn: Scheduler?

    init(_ resource: Resource, _ line: Line, executeOn scheduler: Scheduler? = nil) {
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
extension QueueCore {
    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        if options.isTimed { return enqueueTimed(on: scheduler, options, operation) }
        let node = Node(
            source: nil, on: scheduler, options.traits, Closure(Following(operation)), origin: options.origin
        ) { [self] node, event in
            guard event == .arrived else { return line.handle(event, of: node) }
            let waits = node.takeTurn(T.self) { try node.closure.load(as: Following<Resource, T>.self).call(resource) }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node)
        return Future(node: node)
    }

    @inlinable
    func enqueueTimed<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let node = Node(
            source: nil, on: scheduler, options.traits, Closure(Following(operation)), origin: options.origin
        ) { [self] node, event in
            guard event == .arrived else { return line.handle(event, of: node, options) }
            let waits = node.takeTurn(T.self) {
                options.limitRunning(of: node)
                return try node.closure.load(as: Following<Resource, T>.self).call(resource)
            }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node, options)
        return Future(node: node)
    }
}

extension QueueCore {
    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions, _ body: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        if options.isTimed { return enqueueTimed(on: scheduler, options) { Future(try body($0)) } }
        let node = Node(source: nil, on: scheduler, options.traits, Closure(Body(body)), origin: options.origin) {
            [self] node, event in
            guard event == .arrived else { return line.handle(event, of: node) }
            node.takeTurn { try node.closure.load(as: Body<Resource, T>.self).call(resource) }
        }
        line.enqueue(node)
        return Future(node: node)
    }
}

extension QueueCore<Void> {
    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions, _ body: @escaping @Sendable () throws -> T
    ) -> Future<T> {
        if options.isTimed { return enqueueTimed(on: scheduler, options) { Future(try body()) } }
        let node = Node(source: nil, on: scheduler, options.traits, Closure(Producing(body)), origin: options.origin) {
            [self] node, event in
            guard event == .arrived else { return line.handle(event, of: node) }
            node.takeTurn { try node.closure.load(as: Producing<T>.self).call() }
        }
        line.enqueue(node)
        return Future(node: node)
    }

    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        if options.isTimed { return enqueueTimed(on: scheduler, options) { try operation() } }
        let node = Node(
            source: nil, on: scheduler, options.traits, Closure(Beginning(operation)), origin: options.origin
        ) { [self] node, event in
            guard event == .arrived else { return line.handle(event, of: node) }
            if node.takeTurn(T.self, { try node.closure.load(as: Beginning<T>.self).call() }) { line.hasJoined(node) }
        }
        line.enqueue(node)
        return Future(node: node)
    }
}
