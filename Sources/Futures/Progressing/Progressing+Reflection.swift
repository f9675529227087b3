// What print, dump and debuggers show of a Deferred.

extension Deferred: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        Summary("Deferred")
    }
}

extension DeferredStep: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(self, children: []) }
}
