// DisposeBag: disposables that are disposed together.

/// A collection of disposables that are disposed together, in the order in which they were added.
///
///     let bag = DisposeBag()
///     bag += image(at: url).disposable
///     bag += { print("closed") }
///     bag.dispose()                       // or release the bag
///
/// The bag disposes its contents when it is disposed or released, once. A disposable that is added after that is
/// disposed immediately, on the thread that adds it. A disposable that expires leaves
/// the bag: a future's disposable when the future completes, and an inner bag when it is disposed.
///
/// A bag may be used from any thread.
public final class DisposeBag: Disposable {
    // The storage is separate so that entries can refer to it without retaining the bag: releasing the bag disposes its
    // contents.
    private let storage = Storage()

    /// Creates an empty bag.
    public init() {}

    /// Creates a bag with disposables.
    ///
    /// - Parameter disposables: The disposables, in the order in which the bag disposes them.
    public convenience init(_ disposables: any Disposable...) {
        self.init()
        for disposable in disposables { add(disposable) }
    }

    deinit { DeferredReleases.here.collect { storage.dispose() } }

    /// Disposes the contents of the bag in the order in which they were added.
    ///
    /// A later call does nothing, unless the first one is still in progress: it disposes what that has not reached yet,
    /// so a disposable that blocks does not keep the others from being disposed. Disposables that are added later are
    /// disposed immediately.
    public func dispose() {
        storage.dispose()
    }

    /// Whether the bag is empty: nothing was added, or all of its contents were disposed or have expired.
    package var isEmpty: Bool {
        storage.isEmpty
    }

    /// Adds a disposable, or disposes it immediately if the bag was disposed.
    ///
    /// - Parameter disposable: The disposable.
    /// - Complexity: O(1)
    @usableFromInline
    package func add(_ disposable: any Disposable) {
        let entry = Entry(disposable, in: storage)
        guard storage.append(entry) else { return disposable.dispose() }
        (disposable as? any Expiring)?.expires(with: entry)
    }

    /// Creates a bag and adds it to this one, so that it is disposed with this one unless it was disposed before.
    ///
    /// When the inner bag is disposed, it leaves this one. So a part of the contents can be disposed and replaced many
    /// times.
    ///
    /// - Returns: The inner bag. This bag retains it: releasing the inner bag does not dispose it.
    public func innerBag() -> DisposeBag {
        let inner = DisposeBag()
        add(inner)
        return inner
    }

    /// Adds a disposable if it is not nil, or disposes it immediately if the bag was disposed.
    public static func += (bag: DisposeBag, disposable: (any Disposable)?) {
        if let disposable { bag.add(disposable) }
    }

    /// Adds a closure that is called once when the bag is disposed or released, or immediately if it was disposed
    /// already.
    public static func += (bag: DisposeBag, action: @escaping @Sendable () -> Void) {
        bag.add(Disposer(action))
    }
}

extension DisposeBag: Expiring {
    package func expires(with entry: Entry) {
        storage.expires(with: entry)
    }
}

extension DisposeBag: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        Summary("DisposeBag", ["count": storage.count, "isDisposed": storage.isDisposed])
    }
}

extension DisposeBag {
    /// The place of a disposable in a bag, from which it can be removed in O(1).
    // Safe to share: the links are accessed only under the storage's lock.
    package final class Entry: @unchecked Sendable {
        fileprivate let disposable: any Disposable
        fileprivate let storage: Storage
        private let isReleasing: Bool
        fileprivate var next: Entry?
        fileprivate unowned(unsafe) var previous: Entry?
        fileprivate var isListed = false

        fileprivate init(_ disposable: any Disposable, in storage: Storage) {
            self.disposable = disposable
            self.storage = storage
            // Most disposables are disposers, and a cast to a protocol is slower.
            isReleasing = type(of: disposable) == Disposer.self || disposable is any Releasing
        }

        fileprivate func dispose() {
            if isReleasing { disposable.dispose() } else { DeferredReleases.here.callOut { disposable.dispose() } }
        }

        /// Removes the disposable from the bag without disposing it. Takes O(1).
        package func drop() {
            storage.remove(self)
        }
    }

    /// The contents of a bag: a doubly linked list, so that an entry is removed in O(1).
    fileprivate final class Storage: Sendable {
        private struct State {
            var first: Entry?
            unowned(unsafe) var last: Entry?
            var isDisposed = false
            /// The places of this bag in outer bags.
            var outer: [Entry] = []
        }

        private let state = Locked(State())

        var isEmpty: Bool { state.withLock { $0.first == nil } }

        var isDisposed: Bool { state.withLock { $0.isDisposed } }

        /// The number of disposables, counted for a debugger in O(n) under the lock.
        var count: Int {
            state.withLock { state in
                var (count, next) = (0, state.first)
                while let entry = next { (count, next) = (count + 1, entry.next) }
                return count
            }
        }

        func append(_ entry: Entry) -> Bool {
            state.withLock { state in
                guard !state.isDisposed else { return false }
                entry.previous = state.last
                entry.isListed = true
                if let last = state.last { last.next = entry } else { state.first = entry }
                state.last = entry
                return true
            }
        }

        func remove(_ entry: Entry) {
            state.withLock { state in
                guard entry.isListed else { return }
                entry.isListed = false
                let next = entry.next.take()
                next?.previous = entry.previous
                if next == nil { state.last = entry.previous }
                if let previous = entry.previous { previous.next = next } else { state.first = next }
                entry.previous = nil
            }
        }

        func dispose() {
            close()
            let releases = DeferredReleases.here
            // Nested bags are emptied without recursion, and live until they are empty.
            var inner: [DisposeBag] = []
            while true {
                // One at a time and outside of the lock, because a dispose may call back into this bag.
                var entry = (inner.last?.storage ?? self).takeFirst()
                if let bag = entry?.disposable as? DisposeBag {
                    bag.storage.close()
                    inner.append(bag)
                } else if entry != nil {
                    entry?.dispose()
                } else if inner.popLast() == nil {
                    return
                }
                // A disposable of another type may retain another bag, which is deallocated with it.
                releases.release(&entry)
            }
        }

        private func close() {
            let outer = state.withLock { state in
                state.isDisposed = true
                defer { state.outer = [] }
                return state.outer
            }
            for entry in outer { entry.drop() }
        }

        func expires(with entry: Entry) {
            let isExpired = state.withLock { state in
                if !state.isDisposed { state.outer.append(entry) }
                return state.isDisposed
            }
            if isExpired { entry.drop() }
        }

        private func takeFirst() -> Entry? {
            state.withLock { state in
                guard let entry = state.first else { return nil }
                entry.isListed = false
                state.first = entry.next.take()
                state.first?.previous = nil
                if state.first == nil { state.last = nil }
                return entry
            }
        }
    }
}
