// Item: a thing that a thread has yet to release, as raw words.

extension DeferredReleases {
    /// The stand-in for the context of a closure: an object of Swift's own, also where objects may be Objective-C's.
    package final class Context {}

    /// Something to release once: an object, a closure or a value.
    // Unsafe: raw words, because copying, moving and removing an enum with references took a tenth of a retry. An array
    // of them releases nothing itself: the loop that goes through an item releases it, once. Tested by
    // `ReleaseScaleTests`, `DeferredReleasesTests` and `LeakTests`.
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
            if type == (any Error).self { destroy((any Error).self) } else { _openExistential(type, do: destroy) }
        }
    }
}
