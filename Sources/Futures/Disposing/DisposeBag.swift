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
    private struct State {
        /// In the order in which they were added.
        var disposables: [any Disposable] = []
        /// How many there are when those whose futures have completed are removed.
        var limit = 16
        var isDisposed = false

        /// Adds a disposable unless the bag was disposed. Takes O(1) on average.
        mutating func add(_ disposable: any Disposable) -> Bool {
            if isDisposed { return false }
            if disposables.count >= limit {
                disposables.removeAll { ($0 as? Cancelling)?.hasExpired ?? false }
                limit = max(16, 2 * disposables.count)
            }
            disposables.append(disposable)
            return true
        }
    }

    private let state = Locked(State())

    /// Creates an empty bag.
    public init() {}

    deinit { DeferredReleases.here.collect { dispose() } }

    /// Disposes the contents of the bag in the order in which they were added.
    ///
    /// Later calls do nothing. Disposables that are added later are disposed immediately.
    public func dispose() {
        var contents = state.withLock { state in
            state.isDisposed = true
            defer { state.disposables = [] }
            // The first one is the last one here.
            return Array(state.disposables.reversed())
        }
        let releases = DeferredReleases.here
        // Outside of the lock, because a dispose may call back into this bag.
        while !contents.isEmpty {
            var disposable: (any Disposable)? = contents.removeLast()
            // Those of the library defer what they release. They call user code by `callOut`, or in a callback.
            if disposable is Disposer || disposable is DisposeBag || disposable is Cancelling {
                disposable?.dispose()
            } else {
                releases.callOut { disposable?.dispose() }
            }
            // A disposable of another type may retain another bag, which is deallocated with it.
            releases.release(&disposable)
        }
    }

    /// Whether the bag is empty: nothing was added, or all of its contents were disposed.
    package var isEmpty: Bool { state.withLock { $0.disposables.isEmpty } }

    /// Adds a disposable, or disposes it immediately if the bag was disposed.
    @usableFromInline
    package func add(_ disposable: any Disposable) {
        if !state.withLock({ $0.add(disposable) }) { disposable.dispose() }
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
        let (count, isDisposed) = state.withLock { ($0.disposables.count, $0.isDisposed) }
        return ("DisposeBag", ["count": count, "isDisposed": isDisposed])
    }
}
