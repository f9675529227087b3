// Deferred: the cold description of an operation.

/// The description of an operation, which runs when it is started, and again at each start.
///
///     let text = Deferred { try String(contentsOfFile: path, encoding: .utf8) }
///         .map { $0.uppercased() }
///
///     text.execute { useResult in print(try useResult()) }
///     let future = text.start()       // reads the file once more
///
/// Closures run on the scheduler of their `on:`, or else on that of the start, by default ``Scheduler/utility``. They
/// belong to no actor, even in main-actor code. Every start returns a future of its own: cancelling it cancels its run
/// only. In the other direction, ``init(repeating:)`` makes a deferred whose starts repeat a given future.
///
/// A deferred is a value: operators return another one, and leave this one as it is.
public struct Deferred<Value: Sendable>: Sendable {
    @usableFromInline let last: DeferredStep

    @inlinable
    init(_ last: DeferredStep) { self.last = last }

    /// Creates a deferred whose runs are the futures that `begin` returns for the scheduler of the start.
    @inlinable
    init(begin: @escaping @Sendable (Scheduler) -> Future<Value>) {
        last = DeferredStep { _, scheduler in begin(scheduler).node }
    }

    /// Returns a deferred whose runs are the futures that `attach` makes of runs of this one.
    @inlinable
    func then<T>(
        _ attach: @escaping @Sendable (Future<Value>, Scheduler) -> Future<T>
    ) -> Deferred<T> {
        Deferred<T>(DeferredStep(after: last) { node, scheduler in attach(Future(node: node), scheduler).node })
    }
}

extension Deferred {
    /// Starts a run, and returns its future.
    ///
    /// If `scheduler` is the current one, the run starts before this returns. Cancelling the future cancels the run;
    /// repeating it runs all steps again.
    ///
    /// - Parameter scheduler: Where the closures run that have no `on:` of their own.
    @_alwaysEmitIntoClient
    public func start(on scheduler: Scheduler = .utility) -> Future<Value> {
        Future(node: last.begin(on: scheduler))
    }

    /// Starts a run, and calls `handler` on `scheduler` with a function that returns its value or throws its error.
    ///
    ///     text.execute { useResult in
    ///         do { show(try useResult()) } catch { report(error) }
    ///     }
    ///
    /// If the future is cancelled, so is the run, and `handler` is not called.
    ///
    /// - Parameters:
    ///   - scheduler: As in ``start(on:)``.
    ///   - handler: Called once, when the run has completed. It need not call `useResult`.
    /// - Returns: A future of what `handler` returns or throws.
    @discardableResult
    public func execute<T: Sendable>(
        on scheduler: Scheduler = .utility,
        _ handler: @escaping @Sendable (_ useResult: @Sendable () throws -> Value) throws -> T
    ) -> Future<T> {
        start(on: scheduler).mapResult(on: scheduler) { result in
            try handler { try result.get() }
        }
    }
}

extension Deferred {
    /// Creates a deferred whose starts repeat `future`: each one runs its operation and all its transforms again.
    ///
    /// Closures run where they do in `future`, whatever the scheduler of the start. All starts share the result of a
    /// future that has no operation, such as that of a ``Promise``. The deferred retains `future`.
    public init(repeating future: Future<Value>) {
        // A node for each start: cancelling one start must not cancel what the other starts share.
        // Deferred jobs of the repetition are run before the start returns, as the caller may then wait for it.
        self.init(begin: { _ in
            ThreadState.here.serving { future.rerun() }.always(on: .inPlace) {}
        })
    }
}

extension Scheduler {
    /// The default scheduler of ``Deferred`` and ``Progression``, for long-running work: ``background``.
    public static var utility: Scheduler { background }
}

extension Deferred: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary { ("Deferred", [:]) }
}
