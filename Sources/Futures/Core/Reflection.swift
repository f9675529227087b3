// Reflection: what a debugger's dump, or a test that fails, sees of a future or a scheduler.

extension Future: CustomReflectable {
    /// The result, if there is one, and nothing of how it comes about.
    public var customMirror: Mirror {
        Mirror(self, children: ["result": result as Any], displayStyle: .struct)
    }
}

extension Promise: CustomReflectable {
    /// The result that its future has, if there is one.
    public var customMirror: Mirror {
        Mirror(self, children: ["result": future.result as Any], displayStyle: .struct)
    }
}

// Its raw words are not what their types say, and others write them meanwhile: to go through them would crash.
extension Node: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(self, children: []) }
}

// Its backend holds what cannot be gone through either: the lists of other threads, and parts of Dispatch.
extension ClosureJob: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Scheduler: CustomReflectable {
    /// Nothing but what its description says.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
