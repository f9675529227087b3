// Slot: two raw words for a closure, without a call that releases it.

/// Storage for a closure: two words without reference counting.
///
/// A stored property with a closure costs a call that releases it when the node is deallocated. Most of them
/// hold closures that capture nothing. Five such calls took a tenth of a map. So the node looks whether there is
/// anything to release, and releases it by hand.
// Unsafe: the code that fills a slot names the type with which the slot is read, and `Node.tearDown` destroys the
// contents. The contents must be a struct around the function: as a generic parameter, that would be wrapped, which
// allocates. Tested by `PayloadTests` and `LeakTests`.
@usableFromInline
package struct Slot: Sendable {
    @usableFromInline package var words: (UInt, UInt) = (0, 0)

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

    /// Returns a copy of the contents, which must have been stored as this type.
    @inlinable
    func content<T>(as _: T.Type) -> T {
        withUnsafeBytes(of: words) { $0.baseAddress!.assumingMemoryBound(to: T.self).pointee }
    }

    /// Moves the contents out, which must have been stored as this type.
    @inlinable
    mutating func take<T>(as _: T.Type) -> T {
        defer { words = (0, 0) }
        return withUnsafeMutableBytes(of: &words) { $0.baseAddress!.assumingMemoryBound(to: T.self).move() }
    }

    /// Whether the slot has a closure with a context, which has to be released.
    @inlinable var hasContext: Bool { words.1 != 0 }

    /// The reference to the context of the closure that the slot has, whatever its type.
    private var context: Unmanaged<DeferredReleases.Context>? {
        UnsafeRawPointer(bitPattern: words.1).map { .fromOpaque($0) }
    }

    /// Empties the slot, which has a closure. Returns the reference to the closure's context.
    mutating func takeContext() -> Unmanaged<DeferredReleases.Context>? {
        defer { words = (0, 0) }
        return context
    }

    /// Whether the slot has a closure to whose context others refer, too. Unless those release it at the same moment,
    /// releasing it releases nothing else.
    var sharesContext: Bool { context.map { !$0.isUnique } ?? false }
}
