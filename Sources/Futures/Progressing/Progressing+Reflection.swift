// What print, dump and debuggers show of descriptions and of lines of progressions.

extension Deferred: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("Deferred")
    }

    /// `Deferred()`: what it describes are closures.
    public var description: String { summary.description }

    /// Nothing: what it describes are closures.
    public var customMirror: Mirror { summary.mirror(of: self, .struct) }
}

extension ProductionLine: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("ProductionLine", ["running": runningCount, "waiting": waitingCount])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many progressions run and wait.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension Serial: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("Serial", ["running": queue.runningCount, "waiting": queue.waitingCount])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many runs have their turn and wait for it.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension Recipe: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(self, children: []) }
}
