// DeferredReleases: how objects that retain one another are deallocated without recursion.

/// The objects and values that this thread has yet to release.
///
/// A chain of a million objects overflows the stack if each one releases the next in its `deinit`. So each type of the
/// library moves what it retains for its user into this list in its `deinit`. The outermost deallocation of the thread
/// empties the list in a loop:
///
///     a is released ─► a's deinit: collect { add(b) } ─► loop: release b ─► b's deinit: add(c) ─► returns
///                                                              release c ─► …
///
/// Only memory is deferred. The effects of a `deinit` (the closure of a ``Disposer``, the end of a permit, an abandoned
/// promise) happen in the `deinit` itself. User code is called by `callOut`: what it releases is released before it
/// continues, by a loop of its own, because it may wait for another thread that needs that. Such a loop releases nothing
/// that an outer one has deferred; otherwise calls of user code would nest as deep as the list is long. A `deinit` of the
/// user's is such code too, so the loops nest up to a limit, and the innermost one defers.
///
/// The end of a job defers releases too (`JobReleases.swift`).
// A pointer to plain memory that only its own thread accesses. No user code runs during an access, so a `deinit` may
// call back into this in the middle of a loop. Tested by `ReleaseScaleTests`, `DeferredReleasesTests` and `LeakTests`.
package struct DeferredReleases {
    /// A part of what a thread has for itself (`ThreadState`).
    struct Storage {
        var isDeferring = false
        /// The number of nested loops.
        var depth = 0
        var items: [Item] = []
    }

    let storage: UnsafeMutablePointer<Storage>

    /// This thread's list.
    package static var here: DeferredReleases { ThreadState.here.releases }

    /// Whether what is added now will be released by a deallocation that is in progress, or by the loop that runs the
    /// job in progress.
    package var isDeferring: Bool {
        get { storage.pointee.isDeferring }
        nonmutating set { storage.pointee.isDeferring = newValue }
    }

    /// The number of items that wait.
    package var count: Int { storage.pointee.items.count }

    /// Calls `body`, then releases what was added meanwhile, unless a deallocation further out will do that.
    @inline(__always)
    package func collect(_ body: () -> Void) {
        guard !storage.pointee.isDeferring else { return body() }
        let count = count
        storage.pointee.isDeferring = true
        body()
        storage.pointee.isDeferring = false
        if self.count > count { releaseAll(above: count) }
    }

    /// Calls user code. What that releases is released before it continues.
    package func callOut(_ body: () -> Void) {
        let isDeferring = storage.pointee.isDeferring
        storage.pointee.isDeferring = false
        body()
        storage.pointee.isDeferring = isDeferring
    }

    /// How many loops nest. Each needs the stack of a user's `deinit`, and about a kilobyte.
    private static var nestingLimit: Int { 16 }

    /// Releases all but the first `count` items, the last one first. Releases must not be deferred. Where loops are
    /// nested too deeply, what is released defers its releases: they are released here, too.
    private func releaseAll(above count: Int) {
        let isDeferring = storage.pointee.depth >= Self.nestingLimit
        storage.pointee.isDeferring = isDeferring
        storage.pointee.depth += 1
        while self.count > count { storage.pointee.items.removeLast().release() }
        storage.pointee.depth -= 1
        guard isDeferring else { return }
        storage.pointee.isDeferring = false
        giveBackMemory()
    }

    /// Calls `body`, which releases one thing, unless a deallocation further out is to release what that releases.
    // Not inlined: the optimizer moves a release behind the second change of the count, and then nothing bounds the stack.
    @inline(never)
    private func nesting(_ body: () -> Void) {
        guard storage.pointee.depth < Self.nestingLimit else { return collect(body) }
        storage.pointee.depth += 1
        body()
        storage.pointee.depth -= 1
    }

    /// Releases what the end of a job has added, all but the first `count` items: in the order in which it was added.
    package func releaseInOrder(above count: Int) {
        // Also during a deallocation further out: what a deinit adds here is released before that deinit returns. Else
        // it would be found behind the items that are removed below.
        let isDeferring = storage.pointee.isDeferring
        storage.pointee.isDeferring = false
        defer { storage.pointee.isDeferring = isDeferring }
        let end = self.count
        if end == count + 1 { return releaseAll(above: count) }
        // By index and as copies, as a loop further in may move the items to a larger place.
        for index in count..<end {
            let item = storage.pointee.items[index]
            item.release()
        }
        // Where loops are nested too deeply, what a deinit has added is left.
        if self.count > end { releaseAll(above: end) }
        storage.pointee.items.removeLast(self.count - count)
        giveBackMemory()
    }

    /// Frees the list's memory after a time in which many items waited: threads last long.
    private func giveBackMemory() {
        guard storage.pointee.items.capacity > 256, count < 64 else { return }
        let items = storage.pointee.items
        storage.pointee.items = []
        storage.pointee.items.reserveCapacity(64)
        storage.pointee.items += items
    }
}

// To be called inside `collect`.
extension DeferredReleases {
    package func add(_ object: consuming AnyObject) {
        add((UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()), 0), as: AnyObject.self)
    }

    /// Adds the context of a closure, which will not be called. The list takes over the reference.
    package func add(context: Unmanaged<Context>) {
        add((UInt(bitPattern: context.toOpaque()), 0), as: Context.self)
    }

    /// Adds a closure of any type, which will not be called.
    package func add(closure: @escaping @Sendable () -> Void) {
        if let item = Item(contextOf: closure) { storage.pointee.items.append(item) }
    }

    /// Adds a value of this type. The list takes ownership of its `words`.
    package func add(_ words: (UInt, UInt), as type: any Any.Type) {
        storage.pointee.items.append(Item(words, as: type))
    }
}

// Each releases later, if releases are deferred. The caller has given up its own reference.
extension DeferredReleases {
    package func release(_ object: consuming AnyObject) {
        if storage.pointee.isDeferring { add(object) }
    }

    package func release(closure: consuming @escaping @Sendable () -> Void) {
        if storage.pointee.isDeferring { add(closure: closure) }
    }

    package func release(_ words: (UInt, UInt), as type: any Any.Type) {
        if storage.pointee.isDeferring { add(words, as: type) } else { Item(words, as: type).release() }
    }

    /// Releases a property in the `deinit` of its object, or a variable at the end of a job. Without this, the property
    /// would be released after the `deinit`, recursively.
    package func release<Value>(_ value: inout Value?) {
        guard value != nil else { return }
        if storage.pointee.isDeferring {
            // A value of any size is in an array.
            let taken = value.take()!
            if Value.self is AnyClass { add(taken as AnyObject) } else { storage.pointee.items.append(Item([taken])) }
        } else {
            nesting { value = nil }
        }
    }
}
