// What print, dump and debuggers show of queues and pools: counts, and nothing of the operations themselves.

extension FutureQueue: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        let counts = core.line.counts
        return Summary(
            core.line.name.ofSummary,
            [
                "running": counts.running, "waiting": counts.waiting, "isPaused": counts.isPaused,
                "isClosed": counts.isClosed,
            ])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many operations run and wait, and whether the queue is paused or closed.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension KeyedFutureQueue: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        let counts = core.line.counts
        return Summary(
            core.line.name.ofSummary,
            [
                "keys": core.line.keyCount, "running": counts.running, "waiting": counts.waiting,
                "isPaused": counts.isPaused, "isClosed": counts.isClosed,
            ])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many operations run and wait, of how many keys, and whether the queue is paused or closed.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension ResourcePool: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        let counts = pool.line.counts
        return Summary(
            pool.line.name.ofSummary,
            ["idle": idleCount, "taken": counts.running, "waiting": counts.waiting, "isClosed": counts.isClosed])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many resources are idle and out, how many operations wait, and whether the pool is closed.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension FutureMutex: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        let counts = core.line.counts
        return Summary(
            core.line.name.ofSummary, ["isLocked": counts.running > 0, "waiting": counts.waiting])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// Whether the lock is taken, and how many operations wait for it.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension FutureReadWriteLock: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        let counts = core.line.counts
        return Summary(
            core.line.name.ofSummary, ["taken": counts.running, "waiting": counts.waiting])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many have the lock, and how many operations wait for it.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension FutureSemaphore: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        let counts = core.line.counts
        return Summary(
            core.line.name.ofSummary, ["taken": counts.running, "waiting": counts.waiting])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many permits are taken, and how many operations wait for one.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension FutureCache: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary(sharing.name.ofSummary, ["kept": sharing.count, "running": sharing.runningCount])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many values are kept, and how many operations run.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension SingleFlight: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary(sharing.name.ofSummary, ["running": sharing.runningCount])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many operations run.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension Line {
    /// What a mirror shows, all of it at the same moment.
    fileprivate var counts: (running: Int, waiting: Int, isPaused: Bool, isClosed: Bool) {
        state.withLock { ($0.runningCount, $0.waitingCount, $0.isPaused, $0.closedError != nil) }
    }
}
