// Futures of asynchronous closures and of tasks, and run: an asynchronous closure that is called with a value.

extension Future {
    /// Creates a future of what the asynchronous closure `task` returns or throws, and starts it in a task.
    ///
    ///     let page = Future { try await fetch(url) }
    ///
    /// The task has the caller's task-local values; that of a repetition, those of the code that starts the repetition.
    /// Cancelling the future completes it immediately and cancels the task, whose result is then ignored.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task; by default, that of the code that starts the run.
    ///   - task: Runs on the closure's actor, or else on the concurrent pool.
    public init(
        priority: TaskPriority? = nil,
        @_inheritActorContext task: @escaping @Sendable @isolated(any) () async throws -> Value
    ) {
        self.init { end in
            // In a simulation, on its stand-in for the pool. Otherwise, the closure of an actor gets a task of its own,
            // which is enqueued on the actor immediately: so closures start in the order in which their futures were
            // created.
            let pool = Worlds.pool
            guard pool == nil, task.isolation != nil else {
                if Worlds.areThere { ThreadState.here.clock?.noteTask() }
                return Task(executorPreference: pool, priority: priority) { await end.complete { try await task() } }
                    .cancel
            }
            let isolated = Task(priority: priority, operation: task)
            Task(priority: priority) { await end.complete { try await isolated.value } }
            return isolated.cancel
        }
    }

    /// Creates a future of what the asynchronous closure `task` returns or throws, and starts it in a task with
    /// `scheduler` as its executor. Otherwise, it is like ``init(priority:task:)``.
    ///
    /// Code of the task that belongs to no actor runs on `scheduler`; with `.immediate`, on the concurrent pool.
    public init(
        on scheduler: Scheduler, priority: TaskPriority? = nil, task: @escaping @Sendable () async throws -> Value
    ) {
        guard scheduler != .immediate else {
            self.init(priority: priority, task: task)
            return
        }
        self.init(completedOn: scheduler) { end in
            let executor: any TaskExecutor = Worlds.here?.executor(of: scheduler) ?? scheduler
            return Task(executorPreference: executor, priority: priority) { await end.complete { try await task() } }
                .cancel
        }
    }

    /// Creates a future of the result of `task`.
    ///
    /// Cancelling the future completes it immediately and cancels `task`. A repetition awaits the same task.
    public init(awaiting task: Task<Value, any Error>) {
        self.init { end in
            Task(executorPreference: Worlds.pool) { await end.complete { try await task.value } }
            return task.cancel
        }
    }

    /// Creates a future that is completed by the task that `start` starts: on `scheduler`, if that is known, so that
    /// `wait` knows whether it blocks the task. `start` returns a closure that cancels the task.
    private init(
        completedOn scheduler: Scheduler? = nil,
        start: @escaping @Sendable (TaskRun) -> @Sendable () -> Void
    ) {
        self.init(
            starting: .operation(on: scheduler ?? .inPlace, scheduler == nil ? [] : .later) { node in
                let run = TaskRun(node)
                run.began(with: start(run))
                Worlds.here?.started(run)
                return run
            })
    }
}

/// Completes a node on behalf of a task, and cancels the task when the future is cancelled. The turns in queues that
/// this cancel gives up wait for the task's end: a cancelled task may continue for a while, and use the resource.
private final class TaskRun: Disposable {
    private struct State {
        var isOver = false
        var cancel: (@Sendable () -> Void)?
        var unfinished: Unfinished?
    }

    private let node: Node
    private let state = Locked(State())

    init(_ node: Node) { self.node = node }

    func began(with cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

    func complete<Value: Sendable>(_ work: @Sendable () async throws -> Value) async {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        let unfinished = state.withLock { state in
            state.isOver = true
            return state.unfinished.take()
        }
        node.settleFromOutside(result)
        unfinished?.release()
    }

    /// The disposable of an operation is also disposed when that completes by itself. Then this does not cancel: the
    /// task calls the listeners, which must not find themselves in a cancelled task.
    func dispose() {
        let state = state.withLock { state in
            if !state.isOver, state.unfinished == nil { state.unfinished = ThreadState.here.unfinished?.hold() }
            return state
        }
        if !state.isOver { state.cancel?() }
    }
}

extension Future {
    /// Returns a future of what an asynchronous closure returns for this future's value, or throws.
    ///
    ///     user.run { user in try await friends(of: user) }
    ///
    /// An error of this future is passed on. Use `flatMap` for a closure that returns a future, and `map` for a
    /// synchronous closure, which needs no task. Cancelling the future completes it immediately and cancels the task.
    ///
    /// - Parameter operation: Runs in a task, on the closure's actor, or else on the concurrent pool, with the priority of
    ///   the code that completes this future.
    @_alwaysEmitIntoClient
    public consuming func run<T: Sendable>(
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (Value) async throws -> T
    ) -> Future<T> {
        flatMap(on: .inPlace) { value in Future<T>(task: { try await operation(value) }) }
    }
}
