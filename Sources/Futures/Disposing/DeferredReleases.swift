// DeferredReleases: how objects that hold one another are deallocated without recursion.

/// What this thread has still to release.
///
/// A chain of a million objects overflows the stack if each one releases the next in its `deinit`. So each of the
/// library's types moves what it holds for its user into this list in its `deinit`. The outermost deallocation of the
/// thread empties the list in a loop:
///
///     a is released ─► a's deinit: collect { add(b) } ─► loop: release b ─► b's deinit: add(c) ─► returns
///                                                              release c ─► …
///
/// Only memory waits, and only behind a deallocation in progress. What a `deinit` has to do (the closure of a
/// ``Disposer``, the end of a permit, an abandoned promise) is done in the `deinit` itself. Code of users is called by
/// `callOut`: what it releases is released before it goes on, by a loop of its own, as it may wait for another thread
/// that needs just that. Such an inner loop releases nothing that an outer one has deferred, or calls of users would
/// nest as deep as the list is long.
// A pointer to plain memory that only its own thread has. Each access is one load or store, so that a `deinit` may come
// back here in the middle of a loop. Held by `ReleaseScaleTests`.
package struct DeferredReleases {
    private enum Item {
        case object(AnyObject)
        /// A closure that is released and not called.
        case closure(@Sendable () -> Void)
        /// The value of this type in those words.
        case value((UInt, UInt, UInt), any Any.Type)
    }

    private struct Storage {
        var isReleasing = false
        var items: [Item] = []
    }

    private let storage: UnsafeMutablePointer<Storage>

    /// This thread's list, which is made at its first use and freed with the thread.
    package static var here: DeferredReleases {
        if let known = ReleaseStorage.pointer {
            return DeferredReleases(storage: known.assumingMemoryBound(to: Storage.self))
        }
        return make()
    }

    @inline(never)
    private static func make() -> DeferredReleases {
        let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
        storage.initialize(to: Storage())
        ReleaseStorage.keep(storage) { pointer in
            guard let storage = pointer?.assumingMemoryBound(to: Storage.self) else { return }
            storage.deinitialize(count: 1)
            storage.deallocate()
        }
        return DeferredReleases(storage: storage)
    }

    /// Whether a deallocation is in progress that releases what is added.
    package var isReleasing: Bool {
        get { storage.pointee.isReleasing }
        nonmutating set { storage.pointee.isReleasing = newValue }
    }

    /// Calls `body`, then releases what was added meanwhile, unless a deallocation further out is to do that.
    @inline(__always)
    package func collect(_ body: () -> Void) {
        guard !storage.pointee.isReleasing else { return body() }
        let count = storage.pointee.items.count
        storage.pointee.isReleasing = true
        body()
        if storage.pointee.items.count > count { releaseAll(above: count) }
        storage.pointee.isReleasing = false
    }

    /// Calls code of the user, which may release anything and does not have to wait for it.
    package func callOut(_ body: () -> Void) {
        let isReleasing = storage.pointee.isReleasing
        storage.pointee.isReleasing = false
        body()
        storage.pointee.isReleasing = isReleasing
    }

    private func releaseAll(above count: Int) {
        while storage.pointee.items.count > count {
            let item = storage.pointee.items.removeLast()
            if case .value(let words, let type) = item { Self.destroy(words, type) }
        }
    }

    private static func destroy(_ words: (UInt, UInt, UInt), _ type: any Any.Type) {
        var words = words
        func destroy<T>(_: T.Type) {
            withUnsafeMutableBytes(of: &words) {
                _ = $0.baseAddress!.assumingMemoryBound(to: T.self).deinitialize(count: 1)
            }
        }
        _openExistential(type, do: destroy)
    }
}

// To be called inside of `collect`.
extension DeferredReleases {
    package func add(_ object: AnyObject) {
        storage.pointee.items.append(.object(object))
    }

    /// Adds a closure, of whatever type: it is not called.
    package func add(closure: @escaping @Sendable () -> Void) {
        storage.pointee.items.append(.closure(closure))
    }

    /// Adds the value of this type in `words`, which is the list's own from then on.
    package func add(_ words: (UInt, UInt, UInt), as type: any Any.Type) {
        storage.pointee.items.append(.value(words, type))
    }
}

extension DeferredReleases {
    /// Releases a property in the `deinit` of its object. (As a property that is not taken is released behind the
    /// `deinit`, by recursion.)
    package func release<Value>(_ value: inout Value?) {
        guard value != nil else { return }
        if storage.pointee.isReleasing {
            add(Carrier(value.take()))
        } else {
            collect { value = nil }
        }
    }

    package func release<Object: AnyObject>(_ object: inout Object?) {
        guard object != nil else { return }
        if storage.pointee.isReleasing {
            add(object.take()!)
        } else {
            collect { object = nil }
        }
    }

    private final class Carrier<Value> {
        private let value: Value

        init(_ value: consuming Value) { self.value = value }
    }
}
