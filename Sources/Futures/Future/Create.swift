// Creating futures: from a result, from an operation with a completion, or from a closure that returns a value.

extension Future {
    // Disfavored: otherwise a trailing closure would be taken for the value.
    /// Creates a future that has succeeded with `value`.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public init(_ value: Value) {
        self.init(result: .success(value))
    }

    /// Creates a future that has failed with `error`.
    @_alwaysEmitIntoClient
    public init(error: any Error) {
        self.init(result: .failure(error))
    }

    /// Creates a future that has completed with `result`.
    @_alwaysEmitIntoClient
    public init(result: Result<Value, any Error>) {
        self.init(node: .settled(result))
    }

    // The closures have labels, which trailing closures omit: an unlabeled parameter besides `value` makes the compiler
    // try both for each `Future("…")`, which took five times as long in a chain of twelve (`.ci/typechecking`).
    /// Creates a future and starts `operation`, which completes the future by calling its completion closure.
    ///
    /// The operation starts before this initializer returns, unless it has to hop to an actor: if the closure is
    /// isolated to the main actor and the caller is not on it, or if it is isolated to another actor and the caller is
    /// not in one of that actor's callbacks. It then starts once the actor is free, and never if the future is
    /// cancelled before that.
    ///
    /// An error that `operation` throws fails the future. A completion closure that is released without being called
    /// fails it with ``FutureError/abandoned(origin:)``. A repetition of the future runs `operation` again.
    ///
    /// `operation` receives a completion closure, to be called once, now or later, from any thread; later calls are
    /// ignored. It returns a disposable, which is disposed once, by the thread that completes or cancels the future,
    /// before the listeners are called. For another place, return a `Disposer(on:)`.
    @_alwaysEmitIntoClient
    public init(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        operation: @escaping @Sendable @isolated(any) (@escaping Completion) throws -> any Disposable
    ) {
        let isolation = operation.isolation
        let node = Node.operation(
            on: .inferred(from: isolation), Completing(.isolated(operation)).call,
            FutureError.SourceLocation(file, line: line))
        node.start(in: isolation)
        self.init(node: node)
    }

    /// Creates a future and starts `operation` on `scheduler`: see ``init(file:line:operation:)``.
    ///
    /// If `scheduler` is the current one, the operation starts before this initializer returns. If the future is
    /// cancelled before the operation has started, it never starts.
    @_alwaysEmitIntoClient
    public init(
        on scheduler: Scheduler, file: StaticString = #fileID, line: UInt = #line,
        operation: @escaping @Sendable (@escaping Completion) throws -> any Disposable
    ) {
        self.init(starting: .operation(on: scheduler, operation, FutureError.SourceLocation(file, line: line)))
    }

    /// Creates a future of the value that `function` returns or the error that it throws.
    ///
    /// `function` is called before this initializer returns, unless it has to hop to an actor; then it is called once
    /// the actor is free, and never if the future is cancelled before that. A repetition of the future calls it again.
    @_alwaysEmitIntoClient
    public init(
        @_inheritActorContext immediate function: @escaping @Sendable @isolated(any) () throws -> Value
    ) {
        let isolation = function.isolation
        let node = Node.operation(on: .inferred(from: isolation), returning: Producing(.isolated(function)).call)
        node.start(in: isolation)
        self.init(node: node)
    }

    /// ``init(immediate:)`` with `function` called on `scheduler`: before this initializer returns if that is the
    /// current one.
    @_alwaysEmitIntoClient
    public init(on scheduler: Scheduler, immediate function: @escaping @Sendable () throws -> Value) {
        self.init(starting: .operation(on: scheduler, returning: function))
    }
}

extension Future<Void> {
    /// Creates a future that has succeeded.
    @_alwaysEmitIntoClient
    public init() {
        self.init(result: .success(()))
    }
}

extension Node {
    /// Creates a root with an operation that calls a completion closure. The root has not started.
    @inlinable
    static func operation<Value: Sendable>(
        on scheduler: Scheduler,
        _ operation: @escaping @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable,
        _ origin: FutureError.SourceLocation
    ) -> Node {
        Node(source: nil, on: scheduler, .begins, Closure(Completing(operation)), origin: origin) { node, _ in
            guard node.tryStart() else { return }
            // The completion captures only this token, so that no second object is allocated for its context.
            let token = Token(node)
            do {
                let operation = node.closure.load(as: Completing<Value>.self).call
                node.started(with: try operation { token.node.settleFromOutside($0) })
            } catch {
                // While the token is alive: releasing it first would fail the future as abandoned.
                token.node.settleFromOutside(error: error)
                node.started(with: NilDisposer())
            }
        }
    }

    /// Creates a root that settles with what `function` returns or throws. The root has not started.
    @inlinable
    static func operation<Value: Sendable>(
        on scheduler: Scheduler, returning function: @escaping @Sendable () throws -> Value
    ) -> Node {
        Node(source: nil, on: scheduler, .begins, Closure(Producing(function))) { node, _ in
            node.runOperation {
                node.settleFromOutside(try node.closure.load(as: Producing<Value>.self).call())
                return NilDisposer()
            }
        }
    }
}

/// Takes nothing and returns any value.
@usableFromInline
struct Producing<Output>: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) () throws -> Output) }
    @usableFromInline let call: @Sendable () throws -> Output
    @inlinable init(_ call: @escaping @Sendable () throws -> Output) { self.call = call }
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
