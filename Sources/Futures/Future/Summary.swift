// Summary: what `print`, `dump` and debuggers show of an object of the library.

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
