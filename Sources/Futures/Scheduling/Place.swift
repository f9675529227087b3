// Place: where a closure runs that is passed without `on:`.

extension Scheduler {
    /// Returns the scheduler of the actor that a closure is isolated to, or the current scheduler if there is none.
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

// An isolated closure can be called synchronously only where the compiler sees the actor. Ours are called by the
// actor's own scheduler. So `place` converts the closure to one without isolation, which must be called on that
// scheduler and nowhere else. Both are a function pointer and a context and are called alike; `@isolated(any)` only
// means that the context starts with the actor. The cast is of structs with a field of the concrete function type:
// casting the closure itself would use the most general calling convention, with two more allocations. Tested by
// `IsolationTests`.

@usableFromInline
struct IsolatedBody<Input, Output> {
    @usableFromInline let call: @Sendable @isolated(any) (Input) throws -> Output
    @inlinable init(_ call: @escaping @Sendable @isolated(any) (Input) throws -> Output) { self.call = call }
}

@usableFromInline
struct Body<Input, Output> {
    @usableFromInline let call: @Sendable (Input) throws -> Output
    @inlinable init(_ call: @escaping @Sendable (Input) throws -> Output) { self.call = call }
}

/// Returns the scheduler that a closure runs on, and the closure without its isolation, to be called there.
@inlinable
func place<Input, Output>(
    _ body: @escaping @Sendable @isolated(any) (Input) throws -> Output
) -> (Scheduler, @Sendable (Input) throws -> Output) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedBody(body), to: Body<Input, Output>.self).call)
}

/// Returns the scheduler and the closure, for closures with two parameters.
func place<First, Second, Output>(
    _ body: @escaping @Sendable @isolated(any) (First, Second) throws -> Output
) -> (Scheduler, @Sendable (First, Second) throws -> Output) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    let isolated = IsolatedPairBody(call: body)
    return (scheduler, unsafeBitCast(isolated, to: PairBody<First, Second, Output>.self).call)
}

private struct IsolatedPairBody<First, Second, Output> {
    let call: @Sendable @isolated(any) (First, Second) throws -> Output
}

private struct PairBody<First, Second, Output> {
    let call: @Sendable (First, Second) throws -> Output
}

@usableFromInline
struct IsolatedThunk<Output> {
    @usableFromInline let call: @Sendable @isolated(any) () throws -> Output
    @inlinable init(_ call: @escaping @Sendable @isolated(any) () throws -> Output) { self.call = call }
}

@usableFromInline
struct Thunk<Output> {
    @usableFromInline let call: @Sendable () throws -> Output
    @inlinable init(_ call: @escaping @Sendable () throws -> Output) { self.call = call }
}

/// Returns the scheduler and the closure, for closures without parameters.
@inlinable
func place<Output>(
    _ body: @escaping @Sendable @isolated(any) () throws -> Output
) -> (Scheduler, @Sendable () throws -> Output) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedThunk(body), to: Thunk<Output>.self).call)
}

@usableFromInline
struct IsolatedHandler {
    @usableFromInline let call: @Sendable @isolated(any) () -> Void
    @inlinable init(_ call: @escaping @Sendable @isolated(any) () -> Void) { self.call = call }
}

@usableFromInline
struct Handler {
    @usableFromInline let call: @Sendable () -> Void
    @inlinable init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}

// Closures whose result is not just a generic parameter have structs of their own, as in `Closure`: as an `Output`, the
// result would be returned by another calling convention, and each conversion allocates a closure.

@usableFromInline
struct IsolatedCallback<Input> {
    @usableFromInline let call: @Sendable @isolated(any) (Input) throws -> Void
    @inlinable init(_ call: @escaping @Sendable @isolated(any) (Input) throws -> Void) { self.call = call }
}

@usableFromInline
struct Callback<Input> {
    @usableFromInline let call: @Sendable (Input) throws -> Void
    @inlinable init(_ call: @escaping @Sendable (Input) throws -> Void) { self.call = call }
}

/// Returns the scheduler and the closure, for callbacks, which return nothing.
@inlinable
func place<Input>(
    _ body: @escaping @Sendable @isolated(any) (Input) throws -> Void
) -> (Scheduler, @Sendable (Input) throws -> Void) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedCallback(body), to: Callback<Input>.self).call)
}

/// Returns the scheduler and the closure, for handlers, which have no parameter and do not throw.
@inlinable
func place(
    _ body: @escaping @Sendable @isolated(any) () -> Void
) -> (Scheduler, @Sendable () -> Void) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedHandler(body), to: Handler.self).call)
}

// So do closures whose parameter is not generic: an error.

@usableFromInline
struct IsolatedMending<Output> {
    @usableFromInline let call: @Sendable @isolated(any) (any Error) throws -> Output
    @inlinable init(_ call: @escaping @Sendable @isolated(any) (any Error) throws -> Output) { self.call = call }
}

@usableFromInline
struct Mending<Output> {
    @usableFromInline let call: @Sendable (any Error) throws -> Output
    @inlinable init(_ call: @escaping @Sendable (any Error) throws -> Output) { self.call = call }
}

/// Returns the scheduler and the closure, for transforms that recover from errors.
@inlinable
func place<Output>(
    mending body: @escaping @Sendable @isolated(any) (any Error) throws -> Output
) -> (Scheduler, @Sendable (any Error) throws -> Output) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedMending(body), to: Mending<Output>.self).call)
}

@usableFromInline
struct IsolatedReport {
    @usableFromInline let call: @Sendable @isolated(any) (any Error) throws -> Void
    @inlinable init(_ call: @escaping @Sendable @isolated(any) (any Error) throws -> Void) { self.call = call }
}

@usableFromInline
struct Report {
    @usableFromInline let call: @Sendable (any Error) throws -> Void
    @inlinable init(_ call: @escaping @Sendable (any Error) throws -> Void) { self.call = call }
}

/// Returns the scheduler and the closure, for callbacks that receive errors.
@inlinable
func place(
    reporting body: @escaping @Sendable @isolated(any) (any Error) throws -> Void
) -> (Scheduler, @Sendable (any Error) throws -> Void) {
    let scheduler = Scheduler.inferred(from: body.isolation)
    return (scheduler, unsafeBitCast(IsolatedReport(body), to: Report.self).call)
}
