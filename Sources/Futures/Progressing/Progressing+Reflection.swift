// What print, dump and debuggers show of a Deferred.

extension Deferred: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("Deferred")
    }

    /// `Deferred()`: it consists of closures, which have no description.
    public var description: String { summary.description }

    /// A mirror without children: a deferred consists of closures.
    public var customMirror: Mirror { summary.mirror(of: self, .struct) }
}

extension DeferredStep: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(self, children: []) }
}
