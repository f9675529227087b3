// Summary: what `print`, `dump` and debuggers show of an object of the library.

/// A few values that describe an object, each read once, under the object's own lock.
///
/// Without a custom mirror, reflection visits a class property by property, down to the lists, words and locks that
/// other threads are changing at that moment: a `dump` of a queue in use crashed. So each public class has a mirror
/// that shows this summary and nothing else.
package struct Summary {
    private let name: String
    private let values: KeyValuePairs<String, Any>

    package init(_ name: String, _ values: KeyValuePairs<String, Any> = [:]) {
        self.name = name
        self.values = values
    }

    /// The name and the values, as in `Name(first: 1, second: true)`.
    package var description: String {
        name + "(" + values.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + ")"
    }

    package func mirror(of subject: some Any) -> Mirror {
        Mirror(subject, children: values, displayStyle: type(of: subject) is AnyClass ? .class : .struct)
    }
}

/// An object whose description and mirror are its summary.
package protocol Summarized: CustomStringConvertible, CustomReflectable {
    var summary: Summary { get }
}

extension Summarized {
    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// The values that describe the object.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

// A mirror would read the value without the lock.
extension Locked: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}
