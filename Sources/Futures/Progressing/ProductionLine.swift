// ProductionLine: many progressions of one kind, so many at a time.

/// Runs what is added to it, at most so many at a time, in the order in which it came.
///
///     let uploads = ProductionLine<Upload>(maxCount: 3)
///     let listening = uploads.onResult { result in log(result) }
///     let first = uploads.add(.open(file))        // Future<Upload.Result>
///
/// Results come as futures, and to listeners as they come. What was added goes on though nobody holds the line.
public final class ProductionLine<Stage: Progression>: Sendable {
    /// What a listener hears: the result of one progression, or its error.
    public typealias Handler = @Sendable (Result<Stage.Result, any Error>) -> Void

    private struct Listeners {
        var next = 0
        /// By the numbers that they had as they came.
        var handlers: [Int: Handler] = [:]
    }

    /// Apart from the line, as what runs calls them when that is gone.
    private final class LockedListeners: Sendable {
        private let state = Locked(Listeners())

        // Handlers may hold other lines, however many.
        deinit {
            var listeners: Listeners? = withLock { listeners in
                defer { listeners = Listeners() }
                return listeners
            }
            DeferredReleases.here.release(&listeners)
        }

        func withLock<T>(_ body: (inout Listeners) -> T) -> T { state.withLock(body) }
    }

    private let queue: FutureQueue<Void>
    private let scheduler: Scheduler
    private let listeners = LockedListeners()

    /// Makes a line that runs at most `maxCount` progressions at a time, on `scheduler`.
    ///
    /// - Precondition: `maxCount` is at least 1.
    public init(
        maxCount: Int, on scheduler: Scheduler = .utility, file: StaticString = #fileID, line: UInt = #line
    ) {
        queue = FutureQueue(maxConcurrentCount: maxCount, file: file, line: line)
        self.scheduler = scheduler
    }

    /// Adds a progression, to be run from `stage` when its turn has come; the future has its result.
    ///
    /// Cancelling that future takes it out of the line, or cancels it if it runs, and gives its turn to the next; see
    /// ``Serial``.
    @discardableResult
    public func add(_ stage: Stage) -> Future<Stage.Result> {
        let (scheduler, listeners) = (scheduler, listeners)
        return queue.enqueue(on: scheduler) { stage.run(on: scheduler) }
            .mapResult(on: .immediate) { result in
                for number in listeners.withLock({ $0.handlers.keys }).sorted() {
                    // One that was called before may have had it leave.
                    listeners.withLock { $0.handlers[number] }?(result)
                }
                return try result.get()
            }
    }

    /// Calls `handler` with each result or error, on the thread that brings it, until what is returned is disposed or
    /// released.
    ///
    /// It hears nothing of a progression whose future is cancelled.
    public func onResult(_ handler: @escaping Handler) -> any Disposable {
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.handlers[listeners.next] = handler
            return listeners.next
        }
        return Disposer { [weak listeners] in
            let gone = listeners?.withLock { $0.handlers.removeValue(forKey: number) }
            withExtendedLifetime(gone) {}
        }
    }

    /// Begins no progression until ``resume()``; those that run go on.
    public func suspend() { queue.pause() }

    /// Begins progressions again.
    public func resume() { queue.resume() }

    /// Fails all that waits with `CancellationError`, and cancels what runs, whoever listens.
    public func clear() { queue.abortQueuedOperations() }

    /// How many progressions wait for their turn.
    public var waitingCount: Int { queue.waitingCount }

    /// How many progressions run.
    public var runningCount: Int { queue.runningCount }

    /// A future that succeeds once nothing waits or runs; at once, if that is so.
    public func drained() -> Future<Void> { queue.drained() }
}
