// Reflection: what `print`, debuggers and messages show of an object of the library.

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

extension Node {
    /// What this node, which is pending, waits for: the end of the way upstream, or how many futures there are where that
    /// branches. Takes one node's lock after the other, of at most 4,096, as nodes may wait for each other in a cycle.
    var awaitedInWords: String {
        var (node, last) = (resolved, "a callback")
        for _ in 0..<4096 {
            switch node.dependency {
            case nil: return last
            case .never: return "Future.never"
            case .turn:
                return node.origin.fileID.isEmpty
                    ? "a turn, for an operation of a queue" : "a turn, for the operation enqueued at \(node.origin)"
            case .children(let children, _, _):
                guard children.count == 1 else { return "\(children.count) futures" }
                node = children[0]
            case .limited(let source, _): node = source
            case .upstream(let upstream, let scheduler, _):
                last = scheduler.map { "a callback on \($0)" } ?? "a completion"
                node = upstream
            case .completion(let scheduler):
                let place = node.origin.fileID.isEmpty ? "" : " of the future made at \(node.origin)"
                return (scheduler.map { "a callback on \($0)" } ?? "a completion") + place
            }
        }
        return last
    }
}

/// The name of an object and a few values that describe it, each read once, under the object's own lock.
package typealias Summary = (name: String, values: KeyValuePairs<String, Any>)

/// An object whose description and mirror are its summary.
///
/// Without a custom mirror, reflection visits a class property by property, down to the lists, words and locks that
/// other threads are changing at that moment: a `dump` of a queue in use crashed. So each public class has a mirror
/// that shows its summary and nothing else.
package protocol Summarized: CustomStringConvertible, CustomReflectable {
    var summary: Summary { get }
}

extension Summarized {
    /// The name and the values of the mirror, as in `Name(first: 1, second: true)`.
    public var description: String {
        let (name, values) = summary
        return name + "(" + values.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + ")"
    }

    /// The values that describe the object.
    public var customMirror: Mirror { mirror(of: self) }

    /// The values of this object, as those of another one.
    package func mirror(of subject: some Any) -> Mirror {
        Mirror(subject, children: summary.values, displayStyle: type(of: subject) is AnyClass ? .class : .struct)
    }
}

// A mirror would read the value without the lock.
extension Locked: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}
