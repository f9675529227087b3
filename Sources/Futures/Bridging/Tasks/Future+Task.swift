// Futures from asynchronous closures, and from tasks; tasks from futures.

internal import Synchronization

extension Future {
    /// Begins `task` at once; the future has the value that it returns, or the error that it throws.
    ///
    ///     let page = Future { try await fetch(url) }
    ///
    /// It runs on the actor that the closure belongs to, else on the concurrent pool. It inherits the priority (unless
    /// one is given) and the task-local values of where the future is made; a repetition, which runs it afresh, those
    /// of where that begins. Cancelling the future completes it at once and cancels the task, whose later result is
    /// ignored.
    public init(
        priority: TaskPriority? = nil,
        @_inheritActorContext task: @escaping @Sendable @isolated(any) () async throws -> Value
    ) {
        self.init { end in
            // A task of its own for the closure of an actor: so it is enqueued on the actor at once, and futures that are
            // made one after the other begin so.
            guard task.isolation != nil else {
                return Task(priority: priority) { await end.complete { try await task() } }
            }
            let isolated = Task(priority: priority, operation: task)
            return Task(priority: priority) {
                await withTaskCancellationHandler {
                    await end.complete { try await isolated.value }
                } onCancel: {
                    isolated.cancel()
                }
            }
        }
    }

    /// Begins `task` with `scheduler` as its executor: what belongs to no actor runs there.
    ///
    /// On `.immediate` it runs on the concurrent pool.
    public init(
        on scheduler: Scheduler, priority: TaskPriority? = nil, task: @escaping @Sendable () async throws -> Value
    ) {
        let executor: (any TaskExecutor)? = scheduler == .immediate ? nil : scheduler
        self.init { end in
            Task(executorPreference: executor, priority: priority) { await end.complete { try await task() } }
        }
    }

    /// A future of what `task` returns or throws.
    ///
    /// Cancelling it cancels the task, and completes it at once.
    public init(awaiting task: Task<Value, any Error>) {
        self.init { end in
            Task {
                await withTaskCancellationHandler {
                    await end.complete { try await task.value }
                } onCancel: {
                    task.cancel()
                }
            }
        }
    }

    /// A task that awaits this future's value; cancelling it cancels the future, unless somebody else listens.
    public func task(priority: TaskPriority? = nil) -> Task<Value, any Error> {
        Task(priority: priority) { try await self.value }
    }

    /// A future that `start` has a task complete.
    private init(start: @escaping @Sendable (TaskEnd) -> Task<Void, Never>) {
        let node = Node.operation(on: .inPlace) { node in
            let end = TaskEnd(node)
            return TaskCanceller(start(end), end)
        }
        node.start()
        self.init(node: node)
    }
}

/// The right of a task to complete a node.
private final class TaskEnd: Sendable {
    private let node: Node
    private let isOverFlag = Atomic<Bool>(false)

    init(_ node: Node) { self.node = node }

    var isOver: Bool { isOverFlag.load(ordering: .acquiring) }

    func complete<Value: Sendable>(_ work: @Sendable () async throws -> Value) async {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        isOverFlag.store(true, ordering: .releasing)
        node.complete(result)
    }
}

/// Cancels a task when its future is cancelled.
///
/// Not when that completes, as the disposable of any other operation: it is the task itself that calls the listeners
/// then, and those are not to find themselves in a cancelled one.
private final class TaskCanceller: Disposable {
    private let task: Task<Void, Never>
    private let end: TaskEnd

    init(_ task: Task<Void, Never>, _ end: TaskEnd) {
        self.task = task
        self.end = end
    }

    func dispose() {
        if !end.isOver { task.cancel() }
    }
}
