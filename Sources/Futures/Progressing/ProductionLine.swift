// ProductionLine: runs progressions of one kind, with a concurrency limit.

/// Runs the progressions that are enqueued, at most `maxConcurrentCount` concurrently, in first-in, first-out order.
///
///     let uploads = ProductionLine<Upload>(maxConcurrentCount: 3)
///     let listening = uploads.onResult { result in log(result) }
///     let first = uploads.enqueue(.open(file))    // Future<Upload.Result>
///
/// Each result completes the future that ``enqueue(_:file:line:)`` has returned, and is passed to the listeners of
/// ``onResult(_:)``. Progressions that were enqueued still run when the line is released.
public final class ProductionLine<Stage: Progression>: Sendable {
    /// A listener: called with the result of a progression, or with its error.
    public typealias Handler = @Sendable (Result<Stage.Result, any Error>) -> Void

    private struct Listeners {
        var next = 0
        /// By a number for each listener, ascending in the order in which they were attached.
        var handlers: [Int: Handler] = [:]
    }

    /// The listeners, in an object that progressions retain: they may complete after the line was released.
    private final class LockedListeners: Sendable {
        private let state = Locked(Listeners())
        /// Where they are called, and the stages run.
        let scheduler: Scheduler

        init(on scheduler: Scheduler) { self.scheduler = scheduler }

        // The closures may retain other lines, nested to any depth: released here, they would take stack.
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
    private let listeners: LockedListeners

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: How many progressions run concurrently, at most.
    ///   - scheduler: Where stages are described, and run unless their deferreds say otherwise.
    ///   - file: The file named by the trap if `maxConcurrentCount` is less than 1.
    ///   - line: The line named by the trap if `maxConcurrentCount` is less than 1.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    public init(
        maxConcurrentCount: Int, on scheduler: Scheduler = .utility, file: StaticString = #fileID, line: UInt = #line
    ) {
        queue = FutureQueue(maxConcurrentCount: maxConcurrentCount, file: file, line: line)
        listeners = LockedListeners(on: scheduler)
    }

    /// Enqueues a progression, which runs from `stage` to its result when its turn has come.
    ///
    /// Cancelling the future removes the progression from the line if it is waiting, and cancels it if it is running.
    /// The next one then starts when the stage that runs in place has returned, or immediately if there is none. While
    /// the listeners are called, a cancel does nothing.
    ///
    /// - Parameters:
    ///   - stage: The stage from which it runs.
    ///   - file: The file that the error of a deadlock names.
    ///   - line: The line that it names.
    /// - Returns: A future of the result. It completes after the listeners of ``onResult(_:)`` were called.
    @discardableResult
    public func enqueue(
        _ stage: Stage, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Stage.Result> {
        let (scheduler, listeners) = (listeners.scheduler, listeners)
        // The progression may be over before the step is attached: its listeners hop then, and do not run in this call.
        return queue.enqueue(on: scheduler, file: file, line: line) { stage.runNext(on: scheduler) }
            .stepOfNode(on: .inPlace, .results) { node in
                let result = node.arrived.result(as: Stage.Result.self)
                // A caller that waits for the result waits for the listeners, but not for a callback that would call
                // none.
                guard listeners.withLock({ !$0.handlers.isEmpty }) else { return .result(result) }
                return .future(
                    Future<Void>().step(on: listeners.scheduler, .values) { _ in
                        // From now on, a cancel does nothing, as for every future with a listener.
                        _ = Node.listener(to: node) { _ in }
                        if node.hasSettled { throw CancellationError() }
                        for number in listeners.withLock({ $0.handlers.keys }).sorted() {
                            // A listener that was called before this one may have removed it.
                            listeners.withLock { $0.handlers[number] }?(result)
                        }
                        return .result(result)
                    })
            }
    }

    /// Calls `handler` with the result or error of each progression, until the returned disposable is disposed or
    /// released.
    ///
    /// Listeners are called in the order in which they were attached, on the line's scheduler. They are not called for
    /// progressions that are cancelled by their futures, but for those that
    /// ``abortQueuedOperations(with:shouldCloseQueue:shouldAbortRunning:)`` fails.
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

    /// Starts no more progressions until ``resume()`` is called; those that are running continue.
    ///
    /// A paused line that is released resumes, so that the progressions that are waiting run.
    public func pause() { queue.pause() }

    /// Starts progressions again after ``pause()``.
    public func resume() { queue.resume() }

    /// Fails the progressions that wait or run, even if their futures have listeners.
    ///
    /// - Parameters:
    ///   - error: The error that they fail with.
    ///   - shouldCloseQueue: Whether the line also rejects progressions from now on, with `error`. Otherwise those that are
    ///     enqueued later run as before.
    ///   - shouldAbortRunning: Whether it fails progressions that run, and cancels their current stages. Otherwise they
    ///     continue.
    public func abortQueuedOperations(
        with error: any Error = CancellationError(), shouldCloseQueue: Bool = false, shouldAbortRunning: Bool = true
    ) {
        queue.abortQueuedOperations(
            with: error, shouldCloseQueue: shouldCloseQueue, shouldAbortRunning: shouldAbortRunning)
    }

    /// Rejects progressions from now on. Those that wait or run continue.
    ///
    /// - Parameter error: The error that progressions fail with that are enqueued from now on.
    /// - Returns: A future that succeeds when all progressions have completed.
    @discardableResult
    public func close(with error: any Error = QueueError.closed) -> Future<Void> { queue.close(with: error) }

    /// Whether no progression waits or runs.
    public var isEmpty: Bool { queue.isEmpty }

    /// Whether the line is paused: progressions are accepted, but none starts.
    public var isPaused: Bool { queue.isPaused }

    /// The number of progressions that wait for their turn.
    public var waitingCount: Int { queue.waitingCount }

    /// The number of progressions that are running.
    public var runningCount: Int { queue.runningCount }

    /// Returns a future that succeeds once no progression is waiting or running; immediately if none is.
    public func drained() -> Future<Void> { queue.drained() }
}
