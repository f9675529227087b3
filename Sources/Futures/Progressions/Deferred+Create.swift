// Creating Deferreds: from a result, a closure that returns a value, a completion, an operation or a future.

extension Deferred {
    /// Creates a deferred that calls `subroutine` in each run, for the value that it returns or the error that it
    /// throws.
    ///
    /// It is synchronous: once it runs, cancelling does not stop it, and its result is ignored then.
    @_alwaysEmitIntoClient
    public init(on scheduler: Scheduler? = nil, subroutine: @escaping @Sendable () throws -> Value) {
        self.init(DeferredStep { Future(on: scheduler ?? $1, immediate: subroutine).node })
    }

    // Disfavored: otherwise the compiler would take a trailing closure for the value.
    /// Creates a deferred whose runs succeed with `value`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public init(_ value: Value) {
        self.init { _ in Future(result: .success(value)) }
    }

    /// Creates a deferred whose runs fail with `error`.
    public init(error: any Error) {
        self.init { _ in Future(error: error) }
    }

    /// Returns a deferred of a function with a completion.
    ///
    ///     Deferred.future { resolve in
    ///         api.fetch(url) { data, error in
    ///             if let error { resolve { throw error } } else { resolve { try Page(data) } }
    ///         }
    ///     }
    ///
    /// Cancelling a run completes it immediately, and does not stop the function. If it can be stopped, use
    /// ``following(on:_:)`` and ``Future/init(file:line:operation:)``.
    ///
    /// - Parameters:
    ///   - scheduler: Where `body` is called; by default, on the scheduler of the start.
    ///   - file: The file in the error of an abandoned run.
    ///   - line: The line in the error of an abandoned run.
    ///   - body: Called once in each run. An error that it throws fails the run. It calls `resolve` once, now or later,
    ///     from any thread; later calls do nothing. That calls its argument before it returns, for the value that this
    ///     returns or the error that it throws. If it is released without having been called, the run fails with
    ///     ``FutureError/abandoned(origin:)``.
    public static func future(
        on scheduler: Scheduler? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (_ resolve: @escaping @Sendable (() throws -> Value) -> Void) throws -> Void
    ) -> Deferred {
        Deferred { start in
            Future<Value>(on: scheduler ?? start, file: file, line: line) { completion in
                let first = Locked<Void?>(())
                try body { useResult in
                    guard first.withLock({ $0.take() }) != nil else { return }
                    completion(Result(catching: useResult))
                }
                return NilDisposer()
            }
        }
    }

    /// Returns a deferred whose runs have the results of the futures that `begin` returns.
    ///
    /// It also gives a deferred the operators that only futures have, on the scheduler of the start:
    ///
    ///     Deferred.following { picture.start(on: .current).retry(policy).timeout(after: .seconds(5)) }
    ///
    /// Cancelling a run cancels its future, unless that has other listeners. An error that `begin` throws fails the
    /// run.
    public static func following(
        on scheduler: Scheduler? = nil, _ begin: @escaping @Sendable () throws -> Future<Value>
    ) -> Deferred {
        Deferred { start in
            Future<Void>(on: .inPlace) {}.flatMap(on: scheduler ?? start) { try begin() }
        }
    }
}
