// Creating Deferreds: from a closure that returns, from one that resolves later, from an operation, from a result.

extension Deferred {
    /// Describes a call of `subroutine`, which returns the value or throws the error.
    @inlinable
    public init(on scheduler: Scheduler? = nil, subroutine: @escaping @Sendable () throws -> Value) {
        self.init(Recipe { Future(on: scheduler ?? $1, immediate: subroutine).node })
    }

    // Disfavoured: else a trailing closure would be taken for the value.
    /// Describes what succeeds with `value`.
    @_disfavoredOverload
    @inlinable
    public init(_ value: Value) {
        self.init { _ in Future(result: .success(value)) }
    }

    /// Describes what fails with `error`.
    public init(throwing error: any Error) {
        self.init { _ in Future(error: error) }
    }

    /// What resolves a run: it calls the function that it is given, for its value or error.
    ///
    /// Call it once, from any thread; later calls do nothing, and do not call their function. If it is released without
    /// having been called, the run fails with ``FutureError/abandoned(origin:)``.
    public typealias Resolve = @Sendable (_ useResult: () throws -> Value) -> Void

    /// Describes an operation that resolves later.
    ///
    ///     Deferred.future { resolve in
    ///         api.fetch(url) { data, error in
    ///             if let error { resolve { throw error } } else { resolve { try Page(data) } }
    ///         }
    ///     }
    ///
    /// A throw is a failure. A cancel completes the run at once; for an operation that can be stopped there is
    /// ``operation(on:file:line:_:)``.
    public static func future(
        on scheduler: Scheduler? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (@escaping Resolve) throws -> Void
    ) -> Deferred {
        operation(on: scheduler, file: file, line: line) { completion in
            let isFirst = Locked(true)
            try body { useResult in
                guard isFirst.withLock({ $0.take(else: false) }) else { return }
                completion(Result(catching: useResult))
            }
            return NilDisposer()
        }
    }

    /// Describes an operation that calls its completion, and returns what stops it, as that of a future does.
    public static func operation(
        on scheduler: Scheduler? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable
    ) -> Deferred {
        Deferred { Future(on: scheduler ?? $0, file: file, line: line, operation: operation) }
    }

    /// Describes the run of a future that `begin` makes, in the place of the start.
    public static func following(
        on scheduler: Scheduler? = nil, _ begin: @escaping @Sendable () throws -> Future<Value>
    ) -> Deferred {
        Deferred { start in
            Future<Void>(on: .inPlace) {}.flatMap(on: scheduler ?? start) { try begin() }
        }
    }
}

extension Deferred<Void> {
    /// Describes what succeeds.
    public init() {
        self.init { _ in Future(result: .success(())) }
    }
}

extension Bool {
    /// Leaves `other` behind.
    fileprivate mutating func take(else other: Bool) -> Bool {
        defer { self = other }
        return self
    }
}
