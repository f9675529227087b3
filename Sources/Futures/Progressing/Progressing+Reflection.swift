// What print, dump and debuggers show of a Deferred, a ProductionLine and a Serial.

extension Deferred: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("Deferred")
    }

    /// `Deferred()`: it consists of closures, which have no description.
    public var description: String { summary.description }

    /// A mirror without children: a deferred consists of closures.
    public var customMirror: Mirror { summary.mirror(of: self, .struct) }
}

extension ProductionLine: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("ProductionLine", ["running": runningCount, "waiting": waitingCount])
    }

    /// The type's name, and the values that the mirror shows.
    public var description: String { summary.description }

    /// A mirror with the numbers of running and of waiting progressions.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension Serial: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("Serial", ["running": queue.runningCount, "waiting": queue.waitingCount])
    }

    /// The type's name, and the values that the mirror shows.
    public var description: String { summary.description }

    /// A mirror with the numbers of running and of waiting runs.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension DeferredStep: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(self, children: []) }
}
