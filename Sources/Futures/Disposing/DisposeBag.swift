// DisposeBag: disposables that are disposed together.

/// Collects disposables and disposes them together, in the order in which they came.
///
///     let bag = DisposeBag()
///     bag += image(at: url).disposable
///     bag += { print("closed") }
///     bag.dispose()                       // or let go of the bag
///
/// What can become needless by itself leaves the bag then: a future's disposable when the future completes, an
/// inner bag when it is disposed. What is given to a bag that was disposed already is disposed at once
/// (`Documentation/Decisions/0003`), on the thread that gives it.
public final class DisposeBag: Disposable {
    // The storage is apart from the bag so that entries can point to it without keeping the bag alive:
    // releasing the bag disposes what it holds.
    private let storage = Storage()

    /// Makes an empty bag.
    public init() {}

    /// Makes a bag that holds `disposables`.
    public convenience init(_ disposables: any Disposable...) {
        self.init()
        for disposable in disposables { add(disposable) }
    }

    deinit { DeferredReleases.here.collect { storage.dispose() } }

    /// Disposes what the bag holds, in the order in which it came; what comes later is disposed at once.
    public func dispose() {
        storage.dispose()
    }

    /// Whether the bag holds nothing: nothing was added, or all of it was disposed or has expired.
    public var isEmpty: Bool {
        storage.isEmpty
    }

    /// Adds a disposable; O(1).
    public func add(_ disposable: any Disposable) {
        let entry = Entry(disposable, in: storage)
        guard storage.append(entry) else { return disposable.dispose() }
        (disposable as? any Expiring)?.expires(with: entry)
    }

    /// Makes a bag that is disposed with this one, or earlier by itself; it can be replaced any number of times.
    public func innerBag() -> DisposeBag {
        let inner = DisposeBag()
        add(inner)
        return inner
    }

    /// Keeps references to `objects` until the bag is disposed.
    public func hold(_ objects: (any AnyObject & Sendable)...) {
        add(Disposer { withExtendedLifetime(objects) {} })
    }

    /// Adds a disposable.
    public static func += (bag: DisposeBag, disposable: any Disposable) {
        bag.add(disposable)
    }

    /// Adds a disposable, if there is one.
    public static func += (bag: DisposeBag, disposable: (any Disposable)?) {
        if let disposable { bag.add(disposable) }
    }

    /// Adds a closure, to be called once when the bag is disposed.
    public static func += (bag: DisposeBag, action: @escaping @Sendable () -> Void) {
        bag.add(Disposer(action))
    }
}

extension DisposeBag: Expiring {
    package func expires(with entry: Entry) {
        storage.expires(with: entry)
    }
}

extension DisposeBag: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("DisposeBag", ["count": storage.count, "isDisposed": storage.isDisposed])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many disposables the bag holds, and whether it is disposed.
    public var customMirror: Mirror { summary.mirror(of: self) }
}

extension DisposeBag {
    /// A disposable's place in a bag, from which it can be dropped in O(1).
    // Safe to share: the links are touched under the storage's lock only.
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
            // Mostly it is a disposer; a cast to a protocol asks the runtime.
            isReleasing = type(of: disposable) == Disposer.self || disposable is any Releasing
        }

        fileprivate func dispose() {
            if isReleasing { disposable.dispose() } else { DeferredReleases.here.callOut { disposable.dispose() } }
        }

        /// Takes the disposable out of the bag without disposing it.
        package func drop() {
            storage.remove(self)
        }
    }

    /// What the bag holds: a doubly linked list, so that an entry leaves in O(1).
    fileprivate final class Storage: Sendable {
        private struct State {
            var first: Entry?
            unowned(unsafe) var last: Entry?
            var isDisposed = false
            /// This bag's own places in outer bags.
            var outer: [Entry] = []
        }

        private let state = Locked(State())

        var isEmpty: Bool { state.withLock { $0.first == nil } }

        var isDisposed: Bool { state.withLock { $0.isDisposed } }

        /// Counted, for a debugger: the lock keeps the links as they are.
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
            // Bags in bags are gone through without recursion, and live until they are empty.
            var inner: [DisposeBag] = []
            while true {
                // One at a time and outside of the lock: a dispose may call back into this bag.
                var entry = (inner.last?.storage ?? self).takeFirst()
                if let bag = entry?.disposable as? DisposeBag {
                    bag.storage.close()
                    inner.append(bag)
                } else if entry != nil {
                    entry?.dispose()
                } else if inner.popLast() == nil {
                    return
                }
                // A disposable of another type may hold another bag, until it is released itself.
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
