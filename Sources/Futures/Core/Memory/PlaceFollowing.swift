// place, for closures that return a future.

// Apart from `Place.swift`, which knows of no future; safe for the same reasons.

@usableFromInline
struct IsolatedFollowing<Input, T: Sendable> {
    @usableFromInline let call: @Sendable @isolated(any) (Input) throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable @isolated(any) (Input) throws -> Future<T>) { self.call = call }
}

/// Where a closure runs, and the closure as one that can be called there.
@inlinable
func place<Input, T>(
    _ body: @escaping @Sendable @isolated(any) (Input) throws -> Future<T>
) -> (Scheduler, @Sendable (Input) throws -> Future<T>) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedFollowing(body), to: Following<Input, T>.self).call)
}

@usableFromInline
struct IsolatedBeginning<T: Sendable> {
    @usableFromInline let call: @Sendable @isolated(any) () throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable @isolated(any) () throws -> Future<T>) { self.call = call }
}

/// The same for closures without a parameter.
@inlinable
func place<T>(
    _ body: @escaping @Sendable @isolated(any) () throws -> Future<T>
) -> (Scheduler, @Sendable () throws -> Future<T>) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedBeginning(body), to: Beginning<T>.self).call)
}
