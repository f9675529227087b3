// FutureQueue: asynchronous operations.

extension FutureQueue {
    /// Adds an asynchronous operation, which is called with the resource when its turn has come.
    ///
    ///     queue.run { file in try await file.append(line) }
    ///
    /// The operation is over when its closure has returned. One that returns a future is for `enqueue`, and does not compile
    /// here; one that is synchronous needs no task with `runSync`.
    ///
    /// It runs in a task that begins here and waits: on the actor that the closure belongs to, else with the queue's
    /// `executeOn:` as its executor, else on the concurrent pool. Cancelling the future completes it at once and cancels
    /// the task; so do an abort and the end of `runningAtMost`. The turn is over when the task is: who goes on in spite of
    /// a cancel keeps the resource. A wait of the task for another operation of the same queue is not seen as a deadlock.
    @_disfavoredOverload @discardableResult
    public func run<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        station.enqueueTask(
            on: operation.isolation == nil ? station.executeOn : nil,
            Terms(priority, waitingAtMost, runningAtMost, .init(file, line: line)), operation)
    }

    /// The same, with `scheduler` as the task's executor.
    @_disfavoredOverload @discardableResult
    public func run<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        runningAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T
    ) -> Future<T> {
        station.enqueueTask(
            on: scheduler, Terms(priority, waitingAtMost, runningAtMost, .init(file, line: line)), operation)
    }
}

extension FutureQueue<Void> {
    /// Adds an asynchronous operation, which is called when its turn has come; as that of a queue with a resource.
    @discardableResult
    public func run<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(
            on: operation.isolation == nil ? station.executeOn : nil,
            Terms(priority, waitingAtMost, runningAtMost, .init(file, line: line))
        ) { try await operation() }
    }

    /// The same, with `scheduler` as the task's executor.
    @discardableResult
    public func run<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        runningAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(
            on: scheduler, Terms(priority, waitingAtMost, runningAtMost, .init(file, line: line))
        ) { try await operation() }
    }
}

extension Station {
    /// A queued task: its time is that of its executor.
    func enqueueTask<T: Sendable>(
        on executor: Scheduler?, _ terms: Terms,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        queued(on: executor, operation) { [self] operation in
            enqueueHeld(on: executor ?? .inPlace, terms, operation)
        }
    }
}
