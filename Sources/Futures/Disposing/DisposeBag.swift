// DisposeBag: disposables that are disposed together.

/// A collection of disposables that are disposed together, in the order in which they were added.
///
///     let bag = DisposeBag()
///     bag += image(at: url).disposable
///     bag += { print("closed") }
///     bag.dispose()                       // or release the bag
///
/// The bag disposes its contents when it is disposed or released, once. A disposable that is added after that is
/// disposed immediately, on the thread that adds it. When a future has completed, the bag does not retain it any more.
///
/// A bag may be used from any thread.
public final class DisposeBag: Disposable {
    /// In the order in which they were added; nil once the bag was disposed.
    private let contents = Locked<[any Disposable]?>([])

    /// Creates an empty bag.
    public init() {}

    deinit { DeferredReleases.here.collect { dispose() } }

    /// Disposes the contents of the bag in the order in which they were added.
    ///
    /// Later calls do nothing. Disposables that are added later are disposed immediately.
    public func dispose() {
        // The first one is the last one here.
        var contents = Array(contents.withLock { $0.take() ?? [] }.reversed())
        let releases = DeferredReleases.here
        // Outside of the lock, because a dispose may call back into this bag.
        while !contents.isEmpty {
            var disposable: (any Disposable)? = contents.removeLast()
            // Those of the library call user code by `callOut`, or in a callback.
            if disposable is Disposer || disposable is DisposeBag || disposable is Cancelling {
                disposable?.dispose()
            } else {
                releases.callOut { disposable?.dispose() }
            }
            // A disposable of another type may retain another bag, which is deallocated with it.
            releases.release(&disposable)
        }
    }

    package var isEmpty: Bool { contents.withLock { $0?.isEmpty ?? true } }

    /// Adds a disposable, or disposes it immediately if the bag was disposed. Takes O(1) on average.
    @usableFromInline
    package func add(_ disposable: any Disposable) {
        let isAdded = contents.withLock { contents in
            // Before the array grows, those whose futures have completed are removed.
            if contents?.count == contents?.capacity {
                contents = contents?.filter { !(($0 as? Cancelling)?.hasExpired ?? false) }
                let count = contents?.count ?? 0
                contents?.reserveCapacity(max(16, 2 * count))
            }
            return contents?.append(disposable) != nil
        }
        if !isAdded { disposable.dispose() }
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
        let count = contents.withLock { $0?.count }
        return ("DisposeBag", ["count": count ?? 0, "isDisposed": count == nil])
    }
}
