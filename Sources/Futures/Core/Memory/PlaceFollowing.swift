// place, for closures that return or complete a future.

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

@usableFromInline
struct IsolatedReplacing<T: Sendable> {
    @usableFromInline let call: @Sendable @isolated(any) (any Error) throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable @isolated(any) (any Error) throws -> Future<T>) { self.call = call }
}

/// The same for closures that recover from an error.
@inlinable
func place<T>(
    replacing body: @escaping @Sendable @isolated(any) (any Error) throws -> Future<T>
) -> (Scheduler, @Sendable (any Error) throws -> Future<T>) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedReplacing(body), to: Replacing<T>.self).call)
}

@usableFromInline
struct IsolatedStarting<Value: Sendable> {
    @usableFromInline let call: @Sendable @isolated(any) (@escaping Future<Value>.Completion) throws -> any Disposable
    @inlinable
    init(_ call: @escaping @Sendable @isolated(any) (@escaping Future<Value>.Completion) throws -> any Disposable) {
        self.call = call
    }
}

/// The same for operations.
@inlinable
func place<Value>(
    starting body: @escaping @Sendable @isolated(any) (@escaping Future<Value>.Completion) throws -> any Disposable
) -> (Scheduler, @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedStarting(body), to: Starting<Value>.self).call)
}
