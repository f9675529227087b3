// maxConcurrentCount: how many operations of a queue run concurrently, which can be changed at any time.

extension FutureQueue {
    /// The maximum number of operations that run concurrently.
    ///
    /// It can be changed at any time. If it becomes greater, operations that wait start before the setter returns. If
    /// it becomes smaller, operations that run continue, and none starts until fewer run. `+=` reads and then sets it:
    /// another thread may set it in between.
    ///
    /// - Precondition: A new value is at least 1, and exactly 1 if the queue takes leases.
    public var maxConcurrentCount: Int {
        get { core.line.state.withLock { $0.limit } }
        set { core.line.setLimit(newValue) }
    }
}

extension KeyedFutureQueue {
    /// The maximum number of operations, of all keys, that run concurrently.
    ///
    /// It can be changed at any time. If it becomes greater, operations that wait start before the setter returns. If
    /// it becomes smaller, operations that run continue, and none starts until fewer run. `+=` reads and then sets it:
    /// another thread may set it in between.
    ///
    /// - Precondition: A new value is at least 1.
    public var maxConcurrentCount: Int {
        get { core.line.state.withLock { $0.limit } }
        set { core.line.setLimit(newValue) }
    }
}
