// Shapes: the types of closures that operators store in nodes, one for each calling convention.

// The first ones may be isolated to an actor. Operators without `on:` call such a closure on the scheduler of its
// isolation, and nowhere else:
//
//     map(on: .inferred(from: transform.isolation), Body(.isolated(transform)).call)

/// Takes any value and returns any value.
@usableFromInline
struct Body<Input, Output>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) (Input) throws -> Output) }
    @usableFromInline let call: @Sendable (Input) throws -> Output
    @inlinable init(_ call: @escaping @Sendable (Input) throws -> Output) { self.call = call }
}

/// Takes any value and returns nothing.
@usableFromInline
struct Callback<Input>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) (Input) throws -> Void) }
    @usableFromInline let call: @Sendable (Input) throws -> Void
    @inlinable init(_ call: @escaping @Sendable (Input) throws -> Void) { self.call = call }
}

/// Takes any value and returns a future.
@usableFromInline
struct Following<Input, T: Sendable>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) (Input) throws -> Future<T>) }
    @usableFromInline let call: @Sendable (Input) throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable (Input) throws -> Future<T>) { self.call = call }
}

/// Takes two values and returns a future.
@usableFromInline
struct PairFollowing<First, Second, T: Sendable>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) (First, Second) throws -> Future<T>) }
    @usableFromInline let call: @Sendable (First, Second) throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable (First, Second) throws -> Future<T>) { self.call = call }
}

/// Takes nothing and returns any value.
@usableFromInline
struct Producing<Output>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) () throws -> Output) }
    @usableFromInline let call: @Sendable () throws -> Output
    @inlinable init(_ call: @escaping @Sendable () throws -> Output) { self.call = call }
}

/// Takes nothing and returns a future.
@usableFromInline
struct Beginning<T: Sendable>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) () throws -> Future<T>) }
    @usableFromInline let call: @Sendable () throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable () throws -> Future<T>) { self.call = call }
}

/// Takes nothing, returns nothing and does not throw.
extension Closure: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) () -> Void) }
    @inlinable init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}

/// Takes an error and returns any value.
@usableFromInline
struct Recovering<Output>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) (any Error) throws -> Output) }
    @usableFromInline let call: @Sendable (any Error) throws -> Output
    @inlinable init(_ call: @escaping @Sendable (any Error) throws -> Output) { self.call = call }
}

/// Takes an error and returns a future.
@usableFromInline
struct Replacing<T: Sendable>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) (any Error) throws -> Future<T>) }
    @usableFromInline let call: @Sendable (any Error) throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable (any Error) throws -> Future<T>) { self.call = call }
}

/// Takes an error and returns nothing.
@usableFromInline
struct Observing: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) (any Error) throws -> Void) }
    @usableFromInline let call: @Sendable (any Error) throws -> Void
    @inlinable init(_ call: @escaping @Sendable (any Error) throws -> Void) { self.call = call }
}

/// Takes a completion closure and returns what stops the operation.
@usableFromInline
struct Completing<Value: Sendable>: IsolatedClosureShape {
    @usableFromInline typealias Plain = @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable
    @usableFromInline enum Raw {
        case isolated(@Sendable @isolated(any) (@escaping Future<Value>.Completion) throws -> any Disposable)
    }
    @usableFromInline let call: Plain
    @inlinable init(_ call: @escaping Plain) { self.call = call }
}

// The others are only made by the library, without isolation.

/// Takes the root's node and returns what stops the operation.
struct Starting: ClosureShape {
    let call: @Sendable (Node) throws -> any Disposable
}

/// Takes a step that was attached, and starts what accompanies it; or whose time limit has passed.
struct Accompanying: ClosureShape {
    let call: @Sendable (Node, NodeEvent) -> Void
}

/// Takes the result of a node that is listened to.
struct Listening: ClosureShape {
    let call: @Sendable (Node.Arrival) -> Void
}

/// Returns the combination that is the recipe of a node.
struct Combining: ClosureShape {
    let call: @Sendable () -> Combination
}
