// Slot: two raw words for a closure, without a call that releases it.

/// Storage for a closure: two words without reference counting.
///
/// A stored property with a closure costs a call that releases it when the node is deallocated: five such calls took a
/// tenth of a map. Most closures capture nothing, so the node looks whether there is anything to release.
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

    /// Empties the slot if others refer to the context of its closure, too: then releasing it releases nothing else, unless
    /// they release it at the same moment.
    mutating func releaseIfShared() {
        let context = UnsafeRawPointer(bitPattern: words.1).map(Unmanaged<DeferredReleases.Context>.fromOpaque)
        guard let context, !context.isUnique else { return }
        words = (0, 0)
        context.release()
    }

    /// Empties the slot. Has `releases`, which collects, release the context of the closure.
    mutating func release(in releases: DeferredReleases) {
        if hasContext { releases.add((words.1, 0), as: DeferredReleases.Context.self) }
        words = (0, 0)
    }
}
