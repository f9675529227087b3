// ReleaseList: the things that a thread has yet to release, as raw words.

/// A list of objects, closures and values, each of which is to be released once.
// Unsafe: the items are raw words, because copying, moving and removing an enum with references took a tenth of a
// retry. The list releases nothing itself: the loop that goes through an item releases it, once. Tested by
// `ReleaseScaleTests`, `DeferredReleasesTests` and `LeakTests`.
package struct ReleaseList {
    /// The stand-in for the context of a closure: an object of Swift's own, also where objects may be Objective-C's.
    package final class Context {}

    /// Something to release.
    struct Item {
        enum Kind {
            /// A value of the item's type.
            case value
            /// A reference in the first word: to an object, or to the context of a closure, which is not called.
            case object, context
        }

        private let words: (UInt, UInt, UInt)
        private let type: (any Any.Type)?
        private let kind: Kind

        init(_ words: (UInt, UInt, UInt), as type: any Any.Type) {
            self.words = words
            self.type = type
            kind = .value
        }

        init(_ reference: UnsafeMutableRawPointer, _ kind: Kind) {
            words = (UInt(bitPattern: reference), 0, 0)
            type = nil
            self.kind = kind
        }

        func release() {
            switch kind {
            case .value: destroy(type!)
            case .object: Unmanaged<AnyObject>.fromOpaque(reference).release()
            case .context: Unmanaged<Context>.fromOpaque(reference).release()
            }
        }

        private var reference: UnsafeRawPointer { UnsafeRawPointer(bitPattern: words.0)! }

        private func destroy(_ type: any Any.Type) {
            var words = words
            func destroy<T>(_: T.Type) {
                withUnsafeMutableBytes(of: &words) {
                    _ = $0.baseAddress!.assumingMemoryBound(to: T.self).deinitialize(count: 1)
                }
            }
            // An error's type is known to the compiler, so the runtime need not be asked.
            if type == (any Error).self {
                withUnsafeMutableBytes(of: &words) {
                    _ = $0.baseAddress!.assumingMemoryBound(to: (any Error).self).deinitialize(count: 1)
                }
            } else {
                _openExistential(type, do: destroy)
            }
        }
    }

    private var items = UnsafeMutablePointer<Item>.allocate(capacity: smallCapacity)
    private var capacity = smallCapacity
    /// The number of items. Lowered by a loop that has released the last ones.
    var count = 0

    subscript(index: Int) -> Item { items[index] }

    mutating func append(_ item: Item) {
        if count == capacity { setCapacity(2 * capacity) }
        (items + count).initialize(to: item)
        count += 1
    }

    mutating func takeLast() -> Item {
        count -= 1
        return items[count]
    }

    /// Frees memory after a time in which many items waited: threads last long.
    mutating func giveBackMemory() {
        if capacity > Self.usualCapacity, count < Self.smallCapacity { setCapacity(Self.smallCapacity) }
    }

    func deallocate() { items.deallocate() }

    @inline(never)
    private mutating func setCapacity(_ new: Int) {
        let other = UnsafeMutablePointer<Item>.allocate(capacity: new)
        other.moveInitialize(from: items, count: count)
        items.deallocate()
        items = other
        capacity = new
    }

    /// The capacity of a new list.
    private static var smallCapacity: Int { 64 }
    /// The capacity that a list keeps.
    private static var usualCapacity: Int { 256 }
}
