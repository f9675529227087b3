// DisposeBag: disposables that are disposed together.

/// A collection of disposables that are disposed together, in the order in which they were added.
///
///     let bag = DisposeBag()
///     bag += image(at: url).disposable
///     bag += { print("closed") }
///     bag.dispose()                       // or release the bag
///
/// The bag disposes its contents when it is disposed or released, once. A disposable that is added after that is
/// disposed immediately, on the thread that adds it. A future's disposable leaves the bag when the future completes.
///
/// A bag may be used from any thread.
public final class DisposeBag: Disposable {
    // The storage is separate so that entries can refer to it without retaining the bag: releasing the bag disposes its
    // contents.
    private let storage = Storage()

    /// Creates an empty bag.
    public init() {}

    deinit { DeferredReleases.here.collect { storage.dispose() } }

    /// Disposes the contents of the bag in the order in which they were added.
    ///
    /// Later calls do nothing. Disposables that are added later are disposed immediately.
    public func dispose() {
        storage.dispose()
    }

    /// Whether the bag is empty: nothing was added, or all of its contents were disposed or have expired.
    package var isEmpty: Bool { storage.count == 0 }

    /// Adds a disposable, or disposes it immediately if the bag was disposed. Takes O(1).
    @usableFromInline
    package func add(_ disposable: any Disposable) {
        guard let entry = storage.add(disposable) else { return disposable.dispose() }
        (disposable as? any Expiring)?.expires(with: entry)
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
            var contents = state.withLock { state in
                state.isDisposed = true
                defer { state.disposables = [:] }
                // The first one is the last one here.
                return state.disposables.sorted { $0.key > $1.key }
            }
            let releases = DeferredReleases.here
            // Outside of the lock, because a dispose may call back into this bag.
            while !contents.isEmpty {
                var disposable: (any Disposable)? = contents.removeLast().value
                // Most disposables are disposers, and a cast to a protocol is slower.
                if disposable is Disposer || disposable is DisposeBag || disposable is any Expiring {
                    disposable?.dispose()
                } else {
                    releases.callOut { disposable?.dispose() }
                }
                // A disposable of another type may retain another bag, which is deallocated with it.
                releases.release(&disposable)
            }
        }
    }
}
