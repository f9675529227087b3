// Shapes: the types of closures that operators store in nodes, one for each calling convention.

// The first ones may be isolated to an actor. For each there is a function that operators without `on:` call:
//
//     let (scheduler, transform) = isolated(transform)
//
// It returns the scheduler of the closure's isolation, and the closure without the isolation, to be called there only.
// The functions differ in the closure's type only. Where a more general shape fits too, the closure has a label: an
// error is also an `Input`.

/// Takes any value and returns any value.
@usableFromInline
struct Body<Input, Output>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (Input) throws -> Output
    @usableFromInline typealias Isolated = @Sendable @isolated(any) (Input) throws -> Output
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<Input, Output>(_ body: @escaping Body<Input, Output>.Isolated) -> (Scheduler, Body<Input, Output>.Plain) {
    (.inferred(from: body.isolation), Body(.isolated(body)).call)
}

/// Takes any value and returns nothing.
@usableFromInline
struct Callback<Input>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (Input) throws -> Void
    @usableFromInline typealias Isolated = @Sendable @isolated(any) (Input) throws -> Void
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<Input>(_ body: @escaping Callback<Input>.Isolated) -> (Scheduler, Callback<Input>.Plain) {
    (.inferred(from: body.isolation), Callback(.isolated(body)).call)
}

/// Takes any value and returns a future.
@usableFromInline
struct Following<Input, T: Sendable>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (Input) throws -> Future<T>
    @usableFromInline typealias Isolated = @Sendable @isolated(any) (Input) throws -> Future<T>
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<Input, T>(_ body: @escaping Following<Input, T>.Isolated) -> (Scheduler, Following<Input, T>.Plain) {
    (.inferred(from: body.isolation), Following(.isolated(body)).call)
}

/// Takes two values and returns a future.
@usableFromInline
struct PairFollowing<First, Second, T: Sendable>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (First, Second) throws -> Future<T>
    @usableFromInline typealias Isolated = @Sendable @isolated(any) (First, Second) throws -> Future<T>
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<First, Second, T>(
    _ body: @escaping PairFollowing<First, Second, T>.Isolated
) -> (Scheduler, PairFollowing<First, Second, T>.Plain) {
    (.inferred(from: body.isolation), PairFollowing(.isolated(body)).call)
}

/// Takes nothing and returns any value.
@usableFromInline
struct Producing<Output>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable () throws -> Output
    @usableFromInline typealias Isolated = @Sendable @isolated(any) () throws -> Output
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<Output>(_ body: @escaping Producing<Output>.Isolated) -> (Scheduler, Producing<Output>.Plain) {
    (.inferred(from: body.isolation), Producing(.isolated(body)).call)
}

/// Takes nothing and returns a future.
@usableFromInline
struct Beginning<T: Sendable>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable () throws -> Future<T>
    @usableFromInline typealias Isolated = @Sendable @isolated(any) () throws -> Future<T>
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<T>(_ body: @escaping Beginning<T>.Isolated) -> (Scheduler, Beginning<T>.Plain) {
    (.inferred(from: body.isolation), Beginning(.isolated(body)).call)
}

/// Takes nothing, returns nothing and does not throw.
extension Closure: IsolatedClosureShape {
    @usableFromInline typealias Isolated = @Sendable @isolated(any) () -> Void
    @usableFromInline enum Raw { case isolated(Isolated) }
    @inlinable init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}

@inlinable
func isolated(_ body: @escaping Closure.Isolated) -> (Scheduler, @Sendable () -> Void) {
    (.inferred(from: body.isolation), Closure(.isolated(body)).call)
}

/// Takes an error and returns any value.
@usableFromInline
struct Recovering<Output>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (any Error) throws -> Output
    @usableFromInline typealias Isolated = @Sendable @isolated(any) (any Error) throws -> Output
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<Output>(recovering body: @escaping Recovering<Output>.Isolated) -> (Scheduler, Recovering<Output>.Plain) {
    (.inferred(from: body.isolation), Recovering(.isolated(body)).call)
}

/// Takes an error and returns a future.
@usableFromInline
struct Replacing<T: Sendable>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (any Error) throws -> Future<T>
    @usableFromInline typealias Isolated = @Sendable @isolated(any) (any Error) throws -> Future<T>
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<T>(replacing body: @escaping Replacing<T>.Isolated) -> (Scheduler, Replacing<T>.Plain) {
    (.inferred(from: body.isolation), Replacing(.isolated(body)).call)
}

/// Takes an error and returns nothing.
@usableFromInline
struct Observing: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (any Error) throws -> Void
    @usableFromInline typealias Isolated = @Sendable @isolated(any) (any Error) throws -> Void
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated(observing body: @escaping Observing.Isolated) -> (Scheduler, Observing.Plain) {
    (.inferred(from: body.isolation), Observing(.isolated(body)).call)
}

/// Takes a completion closure and returns what stops the operation.
@usableFromInline
struct Completing<Value: Sendable>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable
    @usableFromInline typealias Isolated =
        @Sendable @isolated(any) (@escaping Future<Value>.Completion) throws -> any Disposable
    @usableFromInline enum Raw { case isolated(Isolated) }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

@inlinable
func isolated<Value>(completing body: @escaping Completing<Value>.Isolated) -> (Scheduler, Completing<Value>.Plain) {
    (.inferred(from: body.isolation), Completing(.isolated(body)).call)
}

// The others are only made by the library, without isolation.

/// Takes a result and returns a value or a future.
@usableFromInline
struct Transforming<Value: Sendable, T: Sendable>: ClosureShape {
    @usableFromInline typealias Plain = @Sendable (Result<Value, any Error>) throws -> Next<T>
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

/// Takes the step's node and returns a value or a future.
@usableFromInline
struct Stepping<T: Sendable>: ClosureShape {
    @usableFromInline typealias Plain = @Sendable (Node) throws -> Next<T>
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

/// Takes the root's node and returns what stops the operation.
struct Starting: ClosureShape {
    let call: @Sendable (Node) throws -> any Disposable
}

/// Takes the result of a node that is listened to.
struct Listening: ClosureShape {
    let call: @Sendable (Node.Arrival) -> Void
}

/// The recipe of a combination: returns the combination, or what a repetition of it is.
struct Remaking: ClosureShape {
    let call: @Sendable (Node.RebuildRequest) -> Node.RebuildStep
}
