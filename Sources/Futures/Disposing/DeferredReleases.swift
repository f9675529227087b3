// DeferredReleases: how objects that retain one another are deallocated without recursion.

/// The objects and values that a thread has yet to release.
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
/// continues, by a loop of its own, because it may wait for another thread that needs that. Such a loop leaves what an
/// outer one has deferred, or calls of user code would nest as deep as the list is long. A `deinit` of the user's is
/// such code as well, so the loops nest up to a limit, and the innermost one defers.
// A pointer to plain memory that only its own thread accesses. No user code runs during an access, so a `deinit` may
// call back into this in the middle of a loop. Tested by `ReleaseScaleTests`, `DeferredReleasesTests` and `LeakTests`.
package struct DeferredReleases {
    /// A part of `ThreadState`.
    struct Storage {
        var isDeferring = false
        /// The number of nested loops.
        var depth = 0
        /// What waits, as raw contents: the loop that takes one out destroys it.
        var items: [Payload] = []
    }

    /// The stand-in for the context of a closure: an object of Swift's own, also where objects may be Objective-C's.
    package final class Context {}

    /// The limit of nested loops. Each needs the stack of a user's `deinit`, and about a kilobyte.
    private static var nestingLimit: Int { 16 }

    let storage: UnsafeMutablePointer<Storage>

    package static var here: DeferredReleases { ThreadState.here.releases }

    /// Whether what is added now will be released by a deallocation that is in progress.
    package var isDeferring: Bool { storage.pointee.isDeferring }

    private var count: Int { storage.pointee.items.count }

    /// Calls `body`, then releases what was added meanwhile, unless a deallocation further out will do that.
    @inline(__always)
    package func collect(_ body: () -> Void) {
        guard !isDeferring else { return body() }
        let count = count
        storage.pointee.isDeferring = true
        body()
        storage.pointee.isDeferring = false
        if self.count > count { releaseAll(above: count) }
    }

    /// Calls user code. What that releases is released before it continues.
    package func callOut(_ body: () -> Void) {
        let isDeferring = isDeferring
        storage.pointee.isDeferring = false
        body()
        storage.pointee.isDeferring = isDeferring
    }

    /// Releases all but the first `count` items, the last one first. Releases must not be deferred. Where loops are
    /// nested too deeply, what is released defers its releases: they are released here, too.
    private func releaseAll(above count: Int) {
        storage.pointee.isDeferring = storage.pointee.depth >= Self.nestingLimit
        storage.pointee.depth += 1
        while self.count > count { storage.pointee.items.removeLast().destroy() }
        storage.pointee.depth -= 1
        storage.pointee.isDeferring = false
        // Threads last long.
        if self.count == 0, storage.pointee.items.capacity > 256 { storage.pointee.items = [] }
    }

    /// Adds an object, inside `collect`.
    // Coerced, or a parameter of a generic type would open it, and its class would be known at run time only.
    package func add(_ object: consuming AnyObject) { add(value: object as AnyObject) }

    /// Adds a closure, which will not be called, inside `collect`.
    func add(closure: consuming Closure) {
        var slot = Slot(closure)
        slot.release(in: self)
    }

    private func add<Value>(value: consuming Value) {
        var item = Payload()
        // A larger value is in an array.
        if Payload.fits(Value.self) { item.write(value) } else { item.write([value]) }
        if item.type != nil { storage.pointee.items.append(item) }
    }

    /// Adds a value of this type, inside `collect`. The list takes ownership of its `words`.
    func add(_ words: Payload.Words, as type: any Any.Type) {
        storage.pointee.items.append(Payload(words, as: type))
    }

    /// Releases an object: later, if releases are deferred. So do the functions below.
    package func release(_ object: consuming AnyObject) { if isDeferring { add(object) } }

    func release(closure: consuming Closure) { if isDeferring { add(closure: closure) } }

    func release(_ words: Payload.Words, as type: any Any.Type) {
        if isDeferring { add(words, as: type) } else { Payload(words, as: type).destroy() }
    }

    /// Releases a property in the `deinit` of its object: it would be released after that, recursively.
    package func release<Value>(_ value: inout Value?) {
        collect { if value != nil { add(value: value.take()!) } }
    }
}

// Raw contents, because copying, moving and removing an enum with references took a tenth of a retry.
extension Payload {
    /// Takes ownership of the value of this type that the words contain.
    fileprivate init(_ words: Words, as type: any Any.Type) {
        self.init()
        self.words = words
        self.type = type
    }

    /// Releases the contents, once. This value is not to be used again.
    fileprivate func destroy() {
        var words = words
        func destroy<T>(_: T.Type) {
            withUnsafeMutableBytes(of: &words) {
                _ = $0.baseAddress!.assumingMemoryBound(to: T.self).deinitialize(count: 1)
            }
        }
        _openExistential(type!, do: destroy)
    }
}
