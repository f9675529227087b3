// Reflection: what a debugger or a failed test shows of a future or a scheduler.

extension Future: CustomReflectable {
    /// The result, if there is one. Otherwise what the future waits for, in words, and how many listeners it has.
    ///
    ///     print(title)    // Future<String>(result: nil, waitsFor: a completion of the future made at App/Fetch.swift:12, …
    public var customMirror: Mirror { Mirror(self, children: node.reflection(of: result), displayStyle: .struct) }
}

extension Future {
    /// What the future waits for while it is pending, for messages.
    package var awaitedInWords: String { node.awaitedInWords }
}

extension Node {
    fileprivate func reflection(of result: Any?) -> [Mirror.Child] {
        var children: [Mirror.Child] = []
        if let name = Recording.recorder?.name(of: resolved) { children.append(("name", name)) }
        children.append(("result", result as Any))
        if result == nil, let count = pendingListenerCount {
            children += [("waitsFor", awaitedInWords), ("listenerCount", count)]
        }
        return children
    }

    /// The number of listeners; nil if the node has a result. A link's listeners are those of its target.
    var pendingListenerCount: Int? {
        let count = withLock { listeners in
            var count = 0
            listeners.forEach { _ in count += 1 }
            return count
        }
        return count ?? (isLink ? target.pendingListenerCount : nil)
    }
}

// A node's raw words do not have the types that they are declared with, and other threads write them and the links of
// jobs meanwhile: a mirror of the properties would crash.
extension Job: CustomReflectable {
    @usableFromInline package var customMirror: Mirror { Mirror(self, children: []) }
}

// The same is true of a scheduler's backend, which contains the lists of other threads and parts of Dispatch.
extension Scheduler: CustomReflectable {
    /// Nothing but what its description says.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Future {
    /// Gives this future a name, which `print`, debuggers and reports show in a program with `FuturesDiagnostics`.
    ///
    ///     let user = fetch(id).named("user \(id)")
    ///
    /// The last name counts. `Future.never` has none. A name costs about a microsecond, whether anything reads it or
    /// not; without `FuturesDiagnostics`, it costs nothing, and is not kept.
    ///
    /// - Parameter name: A text that says which one of many it is.
    /// - Returns: This future.
    @discardableResult
    public func named(_ name: String) -> Future {
        Recording.recorder?.named(node.resolved, name)
        return self
    }
}
