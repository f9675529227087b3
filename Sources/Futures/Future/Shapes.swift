// Shapes: the types of closures that operators take from users, one for each calling convention (`ClosureShape`).

// They may be isolated to an actor. Operators without `on:` call such a closure on the scheduler of its isolation, and
// nowhere else:
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

/// Takes nothing and returns a future.
@usableFromInline
struct Beginning<T: Sendable>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) () throws -> Future<T>) }
    @usableFromInline let call: @Sendable () throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable () throws -> Future<T>) { self.call = call }
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
