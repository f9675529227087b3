// Place: where a closure runs that was given without `on:`.

extension Scheduler {
    /// The scheduler of a closure's isolation: its actor's, else the current one.
    @usableFromInline
    static func inferred(from isolation: (any Actor)?) -> Scheduler {
        // `if let`: reading through an optional chain crashed the compiler (6.3.1).
        if let isolation {
            if isolation === MainActor.shared { return .main }
            return ActorBackend.scheduler(of: isolation)
        }
        return .current
    }
}

/// Where a closure runs, and the closure as one that can be called there, and only there.
///
/// An isolated closure can be called synchronously only where the compiler sees the actor; ours are called where
/// the actor's own scheduler has brought them. Reinterpreting a struct of one field costs one allocation, a plain
/// bit cast of the closure three.
// Safe: both types are a function pointer and a context, and are called alike; `@isolated(any)` only says that the
// context begins with the actor. Held by `IsolationTests`.
@usableFromInline
func place<Input, Output>(
    _ body: @escaping @Sendable @isolated(any) (Input) throws -> Output
) -> (Scheduler, @Sendable (Input) throws -> Output) {
    let isolation = body.isolation
    let plain = unsafeBitCast(
        Field(body), to: Field<@Sendable (Input) throws -> Output>.self)
    return (.inferred(from: isolation), plain.value)
}

/// The same for closures without a parameter.
@usableFromInline
func place<Output>(
    _ body: @escaping @Sendable @isolated(any) () throws -> Output
) -> (Scheduler, @Sendable () throws -> Output) {
    let isolation = body.isolation
    let plain = unsafeBitCast(Field(body), to: Field<@Sendable () throws -> Output>.self)
    return (.inferred(from: isolation), plain.value)
}

/// The same for closures that do not throw.
@usableFromInline
func place(
    _ body: @escaping @Sendable @isolated(any) () -> Void
) -> (Scheduler, @Sendable () -> Void) {
    let isolation = body.isolation
    let plain = unsafeBitCast(Field(body), to: Field<@Sendable () -> Void>.self)
    return (.inferred(from: isolation), plain.value)
}

@usableFromInline
struct Field<Value> {
    @usableFromInline let value: Value

    @usableFromInline init(_ value: Value) { self.value = value }
}
