// propagating: task-local values that callbacks see.

/// Calls `operation`, and has all futures that are made in it carry the values of task-local variables to their
/// callbacks.
///
///     enum Request { @TaskLocal static var id: String? }
///
///     Request.$id.withValue("7") {
///         propagating(Request.$id) {
///             fetchUser().onValue { user in print(Request.id) }   // "7", on whatever thread
///         }
///     }
///
/// A value is captured where an operator is called, an operation is enqueued, or a future is created, and is bound
/// around each call of its closure. What these closures make carries the values on. So do tasks that inherit task-local
/// values, and the closures of ``Scheduler/async(_:)``. A `propagating` inside of another one adds its variables.
@discardableResult
public func propagating<each Value: Sendable, Result>(
    _ locals: repeat TaskLocal<each Value>, operation: () throws -> Result
) rethrows -> Result {
    try Carried.$current.withValue(Carried.here(adding: repeat each locals), operation: operation)
}

/// Calls an asynchronous closure like ``propagating(_:operation:)`` calls a synchronous one: futures that are made in
/// it, and in its child tasks, carry the values.
///
///     await propagating(ServiceContext.$current) {
///         await serve()       // All futures carry the context of the span in which they are made.
///     }
@discardableResult
public func propagating<each Value: Sendable, Result>(
    _ locals: repeat TaskLocal<each Value>, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
) async rethrows -> Result {
    try await Carried.$current.withValue(
        Carried.here(adding: repeat each locals), operation: operation, isolation: isolation)
}
