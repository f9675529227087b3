// Creating futures: from a result, from an operation with a completion, from a closure that returns a value.

extension Future {
    // Disfavoured: else a trailing closure would be taken for the value.
    /// A future that has succeeded with `value`.
    @inlinable @_disfavoredOverload
    public init(_ value: Value) {
        self.init(result: .success(value))
    }

    /// A future that has failed with `error`.
    @inlinable
    public init(error: any Error) {
        self.init(result: .failure(error))
    }

    /// A future that has completed with `result`.
    @inlinable
    public init(result: Result<Value, any Error>) {
        self.init(node: .settled(result))
    }

    // The closures have labels, which trailing ones do without: an unlabelled parameter beside that of the value makes the
    // compiler try both for each `Future("…")`, which took five times as long in a chain of twelve (`.ci/typechecking`).
    /// Begins `operation`, which calls its completion with the result, now or later, from any thread.
    ///
    /// It begins before this returns; but if it belongs to the main actor and is made elsewhere, or to any other actor
    /// and is made in a method of that or elsewhere, once the actor is free. The disposable that it returns is disposed
    /// once, when it has completed or is cancelled, before any listener hears of it. A throw is a failure. A repetition
    /// runs it afresh.
    @inlinable
    public init(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        operation: @escaping @Sendable @isolated(any) (@escaping Completion) throws -> any Disposable
    ) {
        let isolation = operation.isolation
        let (scheduler, operation) = place(starting: operation)
        let node = Node.operation(on: scheduler, operation, FutureError.Origin(file, line: line))
        node.begin(in: isolation)
        self.init(node: node)
    }

    /// Begins `operation` on `scheduler`; at once, if that is the current one. Cancelled before it began, it never
    /// begins.
    @inlinable
    public init(
        on scheduler: Scheduler, file: StaticString = #fileID, line: UInt = #line,
        operation: @escaping @Sendable (@escaping Completion) throws -> any Disposable
    ) {
        let node = Node.operation(on: scheduler, operation, FutureError.Origin(file, line: line))
        node.start()
        self.init(node: node)
    }

    /// Calls `function` at once; the future has its value, or the error that it throws. A repetition calls it again.
    ///
    /// If it belongs to an actor that has to be reached first, it is called once that is free.
    @inlinable
    public init(
        @_inheritActorContext immediate function: @escaping @Sendable @isolated(any) () throws -> Value
    ) {
        let isolation = function.isolation
        let (scheduler, function) = place(function)
        let node = Node.operation(on: scheduler, returning: function)
        node.begin(in: isolation)
        self.init(node: node)
    }

    /// Calls `function` on `scheduler`; the future has its value, or the error that it throws.
    @inlinable
    public init(on scheduler: Scheduler, immediate function: @escaping @Sendable () throws -> Value) {
        let node = Node.operation(on: scheduler, returning: function)
        node.start()
        self.init(node: node)
    }
}

extension Future<Void> {
    /// A future that has succeeded.
    @inlinable
    public init() {
        self.init(result: .success(()))
    }
}

extension Node {
    @inlinable
    static func operation<Value: Sendable>(
        on scheduler: Scheduler,
        _ operation: @escaping @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable,
        _ origin: FutureError.Origin
    ) -> Node {
        Node(source: nil, on: scheduler, .begins, .operation(operation), origin: origin) { node, _ in
            guard node.starting() else { return }
            // The closure's only capture, so that both are one object.
            let token = Token(node)
            do {
                let operation = node.closure.operation(Value.self)
                node.started(with: try operation { token.node.complete($0) })
            } catch {
                // While the token is still there, which else would have the future abandoned.
                token.node.complete(error: error)
                node.started(with: NilDisposer())
            }
        }
    }

    @inlinable
    static func operation<Value: Sendable>(
        on scheduler: Scheduler, returning function: @escaping @Sendable () throws -> Value
    ) -> Node {
        Node(source: nil, on: scheduler, .begins, .producing(function)) { node, _ in
            guard node.starting() else { return }
            do {
                node.complete(try node.closure.producing(Value.self)())
            } catch {
                node.complete(error: error)
            }
            node.started(with: NilDisposer())
        }
    }

    /// Begins an operation where it was written: at once, unless it belongs to another actor.
    @inlinable
    func begin(in isolation: (any Actor)?) {
        if isolation == nil { operation(self, .arrived) } else { start() }
    }
}
