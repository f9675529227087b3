// Closure: a user's closure of any type, inside of the node.

/// A closure of any type, kept as one that can only be retained and released.
// Unsafe: whoever calls it has to name the type that it was made with; the operator that makes the node and the one
// that calls the closure are the same function. Every closure is a function pointer and a context, whatever it takes.
// The casts are of structs with a field spelled as a function type, not of functions: those would go through the
// most general calling convention, by an allocation each. Held by `PayloadTests`.
@usableFromInline
struct Closure: Sendable {
    @usableFromInline let call: @Sendable () -> Void

    @inlinable
    init<Input, Output>(_ body: @escaping @Sendable (Input) throws -> Output) {
        self = unsafeBitCast(Body(body), to: Closure.self)
    }

    // The frequent results that are no mere generic parameter have structs of their own (`Callback`,
    // `Following`, `Starting` …): as an `Output`, they would be returned by another convention, and going from one to the
    // other is a closure of its own.
    @inlinable
    static func callback<Input>(_ body: @escaping @Sendable (Input) throws -> Void) -> Closure {
        unsafeBitCast(Callback(body), to: Closure.self)
    }

    static func hearing(_ body: @escaping @Sendable (Node.Arrival) -> Void) -> Closure {
        unsafeBitCast(Hearing(call: body), to: Closure.self)
    }

    var hearing: @Sendable (Node.Arrival) -> Void { unsafeBitCast(self, to: Hearing.self).call }

    static func remaking(_ body: @escaping @Sendable ([Node]?) -> Node.Remade) -> Closure {
        unsafeBitCast(Remaking(call: body), to: Closure.self)
    }

    var remaking: @Sendable ([Node]?) -> Node.Remade { unsafeBitCast(self, to: Remaking.self).call }

    /// Of a step that recovers from errors.
    @inlinable
    static func mending<Output>(_ body: @escaping @Sendable (any Error) throws -> Output) -> Closure {
        unsafeBitCast(Mending(body), to: Closure.self)
    }

    @inlinable
    func mending<Output>(_: Output.Type) -> @Sendable (any Error) throws -> Output {
        unsafeBitCast(self, to: Mending<Output>.self).call
    }

    /// Of a step that recovers from errors with futures.
    @inlinable
    static func replacing<T>(_ body: @escaping @Sendable (any Error) throws -> Future<T>) -> Closure {
        unsafeBitCast(Replacing(body), to: Closure.self)
    }

    @inlinable
    func replacing<T>(_: T.Type) -> @Sendable (any Error) throws -> Future<T> {
        unsafeBitCast(self, to: Replacing<T>.self).call
    }

    /// Of a step that hears of errors.
    @inlinable
    static func reporting(_ body: @escaping @Sendable (any Error) throws -> Void) -> Closure {
        unsafeBitCast(Report(body), to: Closure.self)
    }

    @inlinable
    var reporting: @Sendable (any Error) throws -> Void { unsafeBitCast(self, to: Report.self).call }

    @inlinable
    static func beginning<T>(_ body: @escaping @Sendable () throws -> Future<T>) -> Closure {
        unsafeBitCast(Beginning(body), to: Closure.self)
    }

    @inlinable
    func beginning<T>(_: T.Type) -> @Sendable () throws -> Future<T> {
        unsafeBitCast(self, to: Beginning<T>.self).call
    }

    @inlinable
    static func producing<T>(_ body: @escaping @Sendable () throws -> T) -> Closure {
        unsafeBitCast(Thunk(body), to: Closure.self)
    }

    @inlinable
    func producing<T>(_: T.Type) -> @Sendable () throws -> T {
        unsafeBitCast(self, to: Thunk<T>.self).call
    }

    /// Of a step that goes on as a value or a future.
    @inlinable
    static func turning<Value: Sendable, T>(
        _ body: @escaping @Sendable (Result<Value, any Error>) throws -> Next<T>
    ) -> Closure {
        unsafeBitCast(Turning(body), to: Closure.self)
    }

    @inlinable
    func turning<Value: Sendable, T>(_: Value.Type, _: T.Type) -> @Sendable (Result<Value, any Error>) throws -> Next<T>
    {
        unsafeBitCast(self, to: Turning<Value, T>.self).call
    }

    /// Of a step that sees its node.
    @inlinable
    static func stepping<T>(_ body: @escaping @Sendable (Node) throws -> Next<T>) -> Closure {
        unsafeBitCast(Stepping(body), to: Closure.self)
    }

    @inlinable
    func stepping<T>(_: T.Type) -> @Sendable (Node) throws -> Next<T> {
        unsafeBitCast(self, to: Stepping<T>.self).call
    }

    /// Of a root that sees its node.
    static func rooting(_ body: @escaping @Sendable (Node) throws -> any Disposable) -> Closure {
        unsafeBitCast(Rooting(call: body), to: Closure.self)
    }

    var rooting: @Sendable (Node) throws -> any Disposable { unsafeBitCast(self, to: Rooting.self).call }

    /// Of a description's step.
    static func attaching(_ body: @escaping Recipe.Step) -> Closure {
        unsafeBitCast(Attaching(call: body), to: Closure.self)
    }

    var attaching: Recipe.Step { unsafeBitCast(self, to: Attaching.self).call }

    @inlinable
    static func following<Input, T>(_ body: @escaping @Sendable (Input) throws -> Future<T>) -> Closure {
        unsafeBitCast(Following(body), to: Closure.self)
    }

    @inlinable
    static func operation<Value>(
        _ body: @escaping @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable
    ) -> Closure {
        unsafeBitCast(Starting<Value>(body), to: Closure.self)
    }

    @inlinable
    init(handler: @escaping @Sendable () -> Void) {
        call = handler
    }

    /// No closure.
    @inlinable
    init() {
        call = {}
    }

    @inlinable
    func body<Input, Output>(_: Input.Type, _: Output.Type) -> @Sendable (Input) throws -> Output {
        unsafeBitCast(self, to: Body<Input, Output>.self).call
    }

    @inlinable
    func callback<Input>(_: Input.Type) -> @Sendable (Input) throws -> Void {
        unsafeBitCast(self, to: Callback<Input>.self).call
    }

    @inlinable
    func operation<Value>(
        _: Value.Type
    ) -> @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable {
        unsafeBitCast(self, to: Starting<Value>.self).call
    }

    @inlinable
    func following<Input, T>(_: Input.Type, _: T.Type) -> @Sendable (Input) throws -> Future<T> {
        unsafeBitCast(self, to: Following<Input, T>.self).call
    }
}

private struct Hearing {
    let call: @Sendable (Node.Arrival) -> Void
}

private struct Attaching {
    let call: Recipe.Step
}

private struct Rooting {
    let call: @Sendable (Node) throws -> any Disposable
}

@usableFromInline
struct Turning<Value: Sendable, T: Sendable> {
    @usableFromInline let call: @Sendable (Result<Value, any Error>) throws -> Next<T>
    @inlinable
    init(_ call: @escaping @Sendable (Result<Value, any Error>) throws -> Next<T>) { self.call = call }
}

@usableFromInline
struct Stepping<T: Sendable> {
    @usableFromInline let call: @Sendable (Node) throws -> Next<T>
    @inlinable init(_ call: @escaping @Sendable (Node) throws -> Next<T>) { self.call = call }
}

private struct Remaking {
    let call: @Sendable ([Node]?) -> Node.Remade
}

@usableFromInline
struct Starting<Value: Sendable> {
    @usableFromInline let call: @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable
    @inlinable
    init(_ call: @escaping @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable) {
        self.call = call
    }
}

@usableFromInline
struct Replacing<T: Sendable> {
    @usableFromInline let call: @Sendable (any Error) throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable (any Error) throws -> Future<T>) { self.call = call }
}

@usableFromInline
struct Beginning<T: Sendable> {
    @usableFromInline let call: @Sendable () throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable () throws -> Future<T>) { self.call = call }
}

@usableFromInline
struct Following<Input, T: Sendable> {
    @usableFromInline let call: @Sendable (Input) throws -> Future<T>
    @inlinable init(_ call: @escaping @Sendable (Input) throws -> Future<T>) { self.call = call }
}
