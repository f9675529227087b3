// Deferred: the cold description of an operation.

/// The description of an operation, which begins when it is started, and afresh each time.
///
///     let text = Deferred { try String(contentsOfFile: path, encoding: .utf8) }
///         .map { $0.uppercased() }
///
///     text.execute { useResult in print(try useResult()) }
///     let future = text.start()       // reads the file once more
///
/// Its closures run in the background by default, where it is started, unless `on:` says otherwise; they belong to no
/// actor, also in main-actor code. Every started future is independent of the others: cancelling it cancels its own
/// run only. A future is a run of such a description: ``Future/deferred`` gives it back.
///
/// It is a value, and what is made of it leaves it as it is.
public struct Deferred<Value: Sendable>: Sendable {
    @usableFromInline let recipe: Recipe

    @inlinable
    init(_ recipe: Recipe) { self.recipe = recipe }

    /// Describes what `begin` begins on the scheduler of the start.
    @inlinable
    init(begin: @escaping @Sendable (Scheduler) -> Future<Value>) {
        recipe = Recipe { _, scheduler in begin(scheduler).node }
    }

    /// Describes what `attach` makes of a run of this one.
    @inlinable
    func then<T>(_ attach: @escaping @Sendable (Future<Value>, Scheduler) -> Future<T>) -> Deferred<T> {
        Deferred<T>(
            Recipe(after: recipe) { node, scheduler in
                // The step before has made it: all but the first have one.
                node.map { attach(Future(node: $0), scheduler).node } ?? Node.never
            })
    }
}

extension Deferred {
    /// Begins a run on `scheduler`, as far as no `on:` says otherwise: at once, if that is the current one.
    ///
    /// The future may be cancelled, which cancels what runs, and repeated, which runs it all again.
    @inlinable
    public func start(on scheduler: Scheduler = .utility) -> Future<Value> {
        Future(node: recipe.begin(on: scheduler))
    }

    /// Starts, and calls `handler` with a function that returns the value or throws the error.
    ///
    ///     text.execute { useResult in
    ///         do { show(try useResult()) } catch { report(error) }
    ///     }
    ///
    /// The future has what `handler` returns or throws. If it is cancelled, so is the operation, and `handler` is not
    /// called.
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

extension Future {
    /// The description of this future, whose starts run its recipe afresh.
    ///
    /// Closures run where this future has them run. It keeps the future. What has no recipe, such as the future of a
    /// ``Promise``, is shared by all starts.
    public var deferred: Deferred<Value> {
        let node = node
        // A step for each start: one that is cancelled leaves what the others share.
        // What it begins has begun, or is on its way to its scheduler, when the start returns: that may be waited for.
        return Deferred { _ in
            Future(node: ThreadState.here.serving { node.rerun() }).always(on: .inPlace) {}
        }
    }
}
