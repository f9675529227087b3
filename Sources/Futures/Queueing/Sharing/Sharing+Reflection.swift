// What print, dump and debuggers show of caches: counts, and nothing of the operations themselves.

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
