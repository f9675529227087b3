// PooledResource: a resource of a pool, with its type, and the closures that create, check and close it.

/// A resource of a pool, or the place of one that is being created. The lock of the pool's line guards what changes.
// Not generic, as everything that the state knows: otherwise a client's code asks the runtime for the types in each
// operation, which took 13,000 of 16,000 instructions.
class PooledResource: @unchecked Sendable {
    /// A creation or a check, and what cancels it.
    typealias Work = (resource: PooledResource, bag: DisposeBag)

    /// Cancels a creation or a check in progress, which retains it.
    weak var bag: DisposeBag?
    /// Whether there is the resource.
    @exclusivity(unchecked) var wasCreated = false
    @exclusivity(unchecked) var useCount = 0
    /// When it was created, and used last, by the clock of the state.
    @exclusivity(unchecked) var createdAt = Duration.zero
    @exclusivity(unchecked) var usedAt = Duration.zero
    /// Whether it has to be closed instead of being used again.
    @exclusivity(unchecked) var isSpoilt = false

    /// Returns this with what cancels the creation or the check that is about to begin.
    func work() -> Work {
        let bag = DisposeBag()
        self.bag = bag
        return (self, bag)
    }

    /// The resource, which is there.
    final func value<Resource: Sendable>(as _: Resource.Type) -> Resource {
        unsafeDowncast(self, to: TypedResource<Resource>.self).resource!
    }

    // These call the closures of the pool's owner.

    /// Creates the resource, or checks the one that is there. Returns a future of whether it can be used.
    func begin() throws -> Future<Bool> { Future(true) }
    /// Takes the resource from its creation, if that has ended now. Returns whether there is one, even if the returned
    /// future was cancelled.
    func takeCreated() -> Bool { false }
    func close() throws -> Future<Void> { Future() }
}

/// A resource with its type: those of a pool are of this class.
// Safe to share: `resource` is set before the pool has it.
final class TypedResource<Resource: Sendable>: PooledResource, @unchecked Sendable {
    private let makes: @Sendable () throws -> Future<Resource>
    private let checks: (@Sendable (Resource) throws -> Future<Bool>)?
    private let closes: @Sendable (Resource) throws -> Future<Void>
    @exclusivity(unchecked) private(set) var resource: Resource?
    /// What `create` of the pool's owner has returned, until the end of the creation.
    @exclusivity(unchecked) private var creation: Future<Resource>?

    init(
        create: @escaping @Sendable () throws -> Future<Resource>,
        check: (@Sendable (Resource) throws -> Future<Bool>)?,
        close: @escaping @Sendable (Resource) throws -> Future<Void>
    ) {
        makes = create
        checks = check
        closes = close
    }

    override func begin() throws -> Future<Bool> {
        if let resource { return try checks!(resource) }
        let future = try makes()
        creation = future
        return future.map(on: .inPlace) { _ in true }
    }

    override func takeCreated() -> Bool {
        if case .success(let value)? = creation.take()?.result { resource = value }
        return resource != nil
    }

    override func close() throws -> Future<Void> { try closes(resource!) }
}
