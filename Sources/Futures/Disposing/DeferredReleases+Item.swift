// Item: a value that a thread has yet to release, as raw words.

extension DeferredReleases {
    /// The stand-in for the context of a closure: an object of Swift's own, also where objects may be Objective-C's.
    package final class Context {}

    /// A value to release once: the context of a closure, an object, an error, or another value of up to two words.
    // Unsafe: raw words, because copying, moving and removing an enum with references took a tenth of a retry. An array
    // of them releases nothing itself: the loop that goes through an item releases it, once. Tested by
    // `ReleaseScaleTests`, `DeferredReleasesTests` and `LeakTests`.
    struct Item {
        private var words: (UInt, UInt) = (0, 0)
        private let type: any Any.Type

        /// Takes ownership of the value of this type that the words contain.
        init(_ words: (UInt, UInt), as type: any Any.Type) {
            self.words = words
            self.type = type
        }

        init<T>(_ value: __owned T) {
            type = T.self
            withUnsafeMutableBytes(of: &words) {
                $0.baseAddress!.assumingMemoryBound(to: T.self).initialize(to: value)
            }
        }

        /// The context of a closure; nil if it has none.
        init?(contextOf closure: @escaping @Sendable () -> Void) {
            // A closure is the address of its code and a reference to its context, or zero. By way of memory, because a
            // cast to words would not retain the context.
            let context = Item(Closure(call: closure)).words.1
            if context == 0 { return nil }
            self.init((context, 0), as: Context.self)
        }

        /// A closure as a struct: as a generic argument, a closure would be wrapped.
        private struct Closure {
            let call: @Sendable () -> Void
        }

        func release() {
            var words = words
            func destroy<T>(_: T.Type) {
                withUnsafeMutableBytes(of: &words) {
                    _ = $0.baseAddress!.assumingMemoryBound(to: T.self).deinitialize(count: 1)
                }
            }
            // The runtime need not be asked for types that the compiler knows.
            if type == Context.self {
                destroy(Context.self)
            } else if type == AnyObject.self {
                destroy(AnyObject.self)
            } else if type == (any Error).self {
                destroy((any Error).self)
            } else {
                _openExistential(type, do: destroy)
            }
        }
    }
}
