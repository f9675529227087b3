// Limits that can be changed while a queue is in use: how many operations run concurrently, and how often they start.

extension FutureQueue {
    /// The maximum of the sum of the weights of operations that run concurrently: without weights, of their number.
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

    /// How often operations start at most; nil for no limit.
    ///
    /// A new rate counts the starts that the old one still counts, by the clock of the first one. A window that replaces
    /// an even rate counts those from now on, and so does an even rate that replaces a window.
    ///
    /// - Precondition: The queue was created with a rate.
    public var rate: RateLimit? {
        get { line.rate }
        set { line.rate = newValue }
    }
}

extension KeyedFutureQueue {
    /// The maximum of the sum of the weights, of all keys: see ``FutureQueue/maxConcurrentCount``.
    public var maxConcurrentCount: Int {
        get { line.maxConcurrentCount }
        set { line.maxConcurrentCount = newValue }
    }

    /// How often operations of all keys start at most: see ``FutureQueue/rate``.
    ///
    /// - Precondition: The queue was created with a `rate` or a `ratePerKey`.
    public var rate: RateLimit? {
        get { line.rate }
        set { line.rate = newValue }
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
            // A setter does not know its caller.
            LineLimits.check(newValue, "The limit of \(name)")
            adjust { $0.limit = newValue }
        }
    }

    fileprivate var rate: RateLimit? {
        get { state.withLock { $0.tokens?.limit } }
        set {
            guard clock != nil else {
                fatalError("A queue that was created without a rate cannot get one. Create it with the first rate.")
            }
            let old = adjust { $0.setRate(newValue) }
            // Released without the lock.
            withExtendedLifetime(old) {}
        }
    }
}
