// Slot: two raw words, for what most nodes do not have.

/// Room for a closure, or a reference to an object with a protocol: two words that nobody counts.
///
/// A stored property of such a type costs a call to release it at the end of every node, and most are empty, or hold
/// closures that capture nothing: five calls, a tenth of a map. So the node looks first, and releases by itself.
// Unsafe: whoever fills a slot names the type by which it is read, and `Node.bury` destroys what is there. What is
// stored must be a struct around the function or existential: as a generic parameter the one would be wrapped, by an
// allocation, and the other opened. Held by `PayloadTests` and `LeakTests`.
@usableFromInline
struct Slot {
    @usableFromInline var words: (UInt, UInt) = (0, 0)

    @inlinable
    init() {}

    @inlinable
    init<T>(_ content: consuming T) {
        store(content)
    }

    @inlinable
    mutating func store<T>(_ content: __owned T) {
        withUnsafeMutableBytes(of: &words) {
            $0.baseAddress!.assumingMemoryBound(to: T.self).initialize(to: content)
        }
    }

    /// A copy of what is there, which must have been stored as this type.
    @inlinable
    func content<T>(as _: T.Type) -> T {
        withUnsafeBytes(of: words) { $0.baseAddress!.assumingMemoryBound(to: T.self).pointee }
    }

    /// Moves out what is there.
    @inlinable
    mutating func take<T>(as _: T.Type) -> T {
        defer { words = (0, 0) }
        return withUnsafeMutableBytes(of: &words) { $0.baseAddress!.assumingMemoryBound(to: T.self).move() }
    }

    /// Whether a closure has captured something that is to be released.
    @inlinable var hasContext: Bool { words.1 != 0 }

    /// Whether no object is there.
    @inlinable var isEmpty: Bool { words.0 == 0 }
}
