// maxConcurrentCount: how many operations run concurrently, which can be changed at any time.

extension FutureQueue {
    /// The maximum number of operations that run concurrently.
    ///
    /// If it becomes greater, operations that wait start before the setter returns. If it becomes smaller, operations
    /// that run continue, and none starts until fewer run. `+=` reads and then sets it: another thread may set it in
    /// between.
    ///
    /// - Precondition: A new value is at least 1.
    public var maxConcurrentCount: Int {
        get { line.maxConcurrentCount }
        set { line.maxConcurrentCount = newValue }
    }
}

extension KeyedFutureQueue {
    /// The maximum number of operations, of all keys, that run concurrently: see ``FutureQueue/maxConcurrentCount``.
    public var maxConcurrentCount: Int {
        get { line.maxConcurrentCount }
        set { line.maxConcurrentCount = newValue }
    }
}

extension FutureSemaphore {
    /// The number of permits: see ``FutureQueue/maxConcurrentCount``.
    public var count: Int {
        get { line.maxConcurrentCount }
        set { line.maxConcurrentCount = newValue }
    }
}

extension Line {
    fileprivate var maxConcurrentCount: Int {
        get { state.withLock { $0.limit } }
        set {
            LineLimits.check(newValue)
            perform(
                change {
                    $0.limit = newValue
                    return $0.goOn()
                })
        }
    }
}
