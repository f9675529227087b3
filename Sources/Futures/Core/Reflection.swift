// Reflection: what a debugger or a failed test shows of a future or a scheduler.

extension Future: CustomReflectable {
    /// The result, if there is one. How the future gets its result is not shown.
    public var customMirror: Mirror {
        Mirror(self, children: ["result": result as Any], displayStyle: .struct)
    }
}

extension Promise: CustomReflectable {
    /// The result of the promise's future, if there is one.
    public var customMirror: Mirror {
        Mirror(self, children: ["result": future.result as Any], displayStyle: .struct)
    }
}

// A node's raw words do not have the types that they are declared with, and other threads write them meanwhile: a
// mirror of its properties would crash.
extension Node: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(self, children: []) }
}

// The same is true of a scheduler's backend, which contains the lists of other threads and parts of Dispatch, and of a
// job, which is linked to others in such lists.
extension ClosureJob: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Scheduler: CustomReflectable {
    /// Nothing but what its description says.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
