// DisposeBag: disposables that are disposed together.

/// A collection of disposables that are disposed together, in the order in which they were added.
///
///     let bag = DisposeBag()
///     bag += image(at: url).disposable
///     bag += { print("closed") }
///     bag.dispose()                       // or release the bag
///
/// The bag disposes its contents when it is disposed or released, once. A disposable that is added after that is
/// disposed immediately, on the thread that adds it. A disposable that expires leaves the bag: a future's disposable when
/// the future completes, and an inner bag when it is disposed.
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
    package var isEmpty: Bool { storage.count == 0 }

    /// Adds a disposable, or disposes it immediately if the bag was disposed.
    ///
    /// - Parameter disposable: The disposable.
    /// - Complexity: O(1)
    @usableFromInline
    package func add(_ disposable: any Disposable) {
        guard let entry = storage.add(disposable) else { return disposable.dispose() }
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
        ("DisposeBag", ["count": storage.count, "isDisposed": storage.isDisposed])
    }
}

extension DisposeBag {
    /// The place of a disposable in a bag.
    package struct Entry: Sendable {
        fileprivate let storage: Storage
        fileprivate let number: Int

        /// Removes the disposable from the bag without disposing it. Takes O(1).
        package func drop() { storage.remove(number) }
    }

    /// The contents of a bag, by their numbers, so that one can be removed in O(1).
    fileprivate final class Storage: Sendable {
        private struct State {
            var disposables: [Int: any Disposable] = [:]
            /// The number of the next disposable.
            var next = 0
            var isDisposed = false
            /// Once the bag was disposed, the numbers of its disposables: the first one is the last one here.
            var order: [Int] = []
            /// The places of this bag in outer bags.
            var outer: [Entry] = []
        }

        private let state = Locked(State())

        var isDisposed: Bool { state.withLock { $0.isDisposed } }

        var count: Int { state.withLock { $0.disposables.count } }

        /// Adds a disposable, unless the bag was disposed.
        func add(_ disposable: any Disposable) -> Entry? {
            state.withLock { state in
                guard !state.isDisposed else { return nil }
                state.disposables[state.next] = disposable
                state.next += 1
                return Entry(storage: self, number: state.next - 1)
            }
        }

        func remove(_ number: Int) {
            // Released without the lock.
            let removed = state.withLock { $0.disposables.removeValue(forKey: number) }
            withExtendedLifetime(removed) {}
        }

        func dispose() {
            close()
            let releases = DeferredReleases.here
            // Nested bags are emptied without recursion, and live until they are empty.
            var inner: [DisposeBag] = []
            while true {
                // One at a time and outside of the lock, because a dispose may call back into this bag.
                var disposable = (inner.last?.storage ?? self).takeFirst()
                if let bag = disposable as? DisposeBag {
                    bag.storage.close()
                    inner.append(bag)
                } else if let disposable {
                    // Most disposables are disposers, and a cast to a protocol is slower.
                    if disposable is Disposer || disposable is any Expiring {
                        disposable.dispose()
                    } else {
                        releases.callOut { disposable.dispose() }
                    }
                } else if inner.popLast() == nil {
                    return
                }
                // A disposable of another type may retain another bag, which is deallocated with it.
                releases.release(&disposable)
            }
        }

        private func close() {
            let outer = state.withLock { state in
                if !state.isDisposed { state.order = state.disposables.keys.sorted(by: >) }
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

        private func takeFirst() -> (any Disposable)? {
            state.withLock { state in
                while let number = state.order.popLast() {
                    if let disposable = state.disposables.removeValue(forKey: number) { return disposable }
                }
                return nil
            }
        }
    }
}
