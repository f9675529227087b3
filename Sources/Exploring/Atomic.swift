// Atomic: replaces the standard library's atomics where interleavings are explored.

public import Synchronization

/// An atomic with the interface of `Synchronization.Atomic`, which it hides in this module: at each access, the
/// explorer may run another thread first.
///
/// The explorer runs one thread at a time, and so chooses the order of accesses. It also tracks
/// what the orderings promise. A load may return an older value than the last one, if the
/// orderings allow that. A lock keeps the accesses of threads apart that it does not run.
// Safe to share: the lock protects the cell.
@usableFromInline
package struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {
    /// Gives this struct a place of its own, as the standard library's atomic has one.
    private let anchor = Synchronization.Atomic<UInt8>(0)
    private let cell: UnsafeMutablePointer<Value>
    /// The values before, the last one last.
    private let older: UnsafeMutablePointer<[Value]>

    @usableFromInline
    package init(_ value: consuming Value) {
        cell = .allocate(capacity: 1)
        cell.initialize(to: value)
        older = .allocate(capacity: 1)
        older.initialize(to: [])
    }

    deinit {
        explorer?.access(UnsafeRawPointer(cell), .forget)
        cell.deinitialize(count: 1)
        cell.deallocate()
        older.deinitialize(count: 1)
        older.deallocate()
    }

    /// The value, for checks. This is no access that the explorer knows of.
    package borrowing func peek() -> Value { accesses.withLock { _ in cell.pointee } }

    /// Tells the explorer that the calling thread has the only reference to the object to which this belongs.
    package borrowing func isOwned() { explorer?.access(UnsafeRawPointer(cell), .own) }

    /// Stores what `body` changes, unless that returns nil.
    fileprivate borrowing func access<T>(
        _ point: (UnsafeRawPointer) -> ExplorationPoint, _ body: (inout Value) -> T?
    ) -> T? {
        explorer?.reach(point(UnsafeRawPointer(cell)))
        return accesses.withLock { _ in
            let old = cell.pointee
            guard let result = body(&cell.pointee) else { return nil }
            // What a thread stores that is not explored has happened before all that is.
            if explorer?.runsThisThread != true { older.pointee = [] } else { keep(old) }
            return result
        }
    }

    /// Returns the value, or an older one.
    fileprivate borrowing func loaded(acquires: Bool, _ isEqual: (Value, Value) -> Bool) -> Value {
        let age = explorer?.load(UnsafeRawPointer(cell), acquires: acquires) { age in
            age <= older.pointee.count && !isEqual(value(age), cell.pointee)
        }
        return accesses.withLock { _ in value(age ?? 0) }
    }

    private borrowing func value(_ age: Int) -> Value {
        age == 0 ? cell.pointee : older.pointee[older.pointee.count - age]
    }

    private borrowing func keep(_ value: Value) {
        older.pointee.append(value)
        if older.pointee.count > 3 { older.pointee.removeFirst() }
    }

    fileprivate var address: UnsafeRawPointer { UnsafeRawPointer(cell) }
}

private let accesses = Mutex<Void>(())

extension Atomic where Value: Equatable {
    @usableFromInline
    package borrowing func load(ordering: AtomicLoadOrdering) -> Value {
        loaded(acquires: ordering != .relaxed, ==)
    }

    @usableFromInline
    package borrowing func store(_ value: consuming Value, ordering: AtomicStoreOrdering) {
        let value = value
        access({ .store($0, releases: ordering != .relaxed) }, { $0 = value })!
    }

    @usableFromInline
    package borrowing func exchange(_ value: consuming Value, ordering: AtomicUpdateOrdering) -> Value {
        let value = value
        return update(ordering) { $0 = value }.oldValue
    }

    @usableFromInline @discardableResult
    package borrowing func compareExchange(
        expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        exchange(expected, desired, ordering, failing: ordering.acquires)
    }

    private borrowing func exchange(
        _ expected: Value, _ desired: Value, _ ordering: AtomicUpdateOrdering, failing acquires: Bool
    ) -> (exchanged: Bool, original: Value) {
        var original = expected
        let exchanged: Void? = access({ .exchange($0) }) { cell in
            original = cell
            if cell != expected { return nil }
            cell = desired
            return ()
        }
        let hasChanged = exchanged != nil
        explorer?.exchanged(
            address, acquires: hasChanged ? ordering.acquires : acquires, releases: ordering.releases, hasChanged)
        return (hasChanged, original)
    }

    @usableFromInline @discardableResult
    package borrowing func compareExchange(
        expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
        exchange(expected, desired, successOrdering, failing: failureOrdering != .relaxed)
    }

    fileprivate borrowing func update(
        _ ordering: AtomicUpdateOrdering, _ body: (inout Value) -> Void
    ) -> (oldValue: Value, newValue: Value) {
        access({ .update($0, acquires: ordering.acquires, releases: ordering.releases) }) { cell in
            let old = cell
            body(&cell)
            return (old, cell)
        }!
    }
}

extension Atomic where Value: FixedWidthInteger {
    @usableFromInline @discardableResult
    package borrowing func bitwiseOr(_ bits: Value, ordering: AtomicUpdateOrdering)
        -> (oldValue: Value, newValue: Value)
    { update(ordering) { $0 |= bits } }

    @usableFromInline @discardableResult
    package borrowing func bitwiseAnd(_ bits: Value, ordering: AtomicUpdateOrdering)
        -> (oldValue: Value, newValue: Value)
    { update(ordering) { $0 &= bits } }

    @usableFromInline @discardableResult
    package borrowing func wrappingAdd(_ number: Value, ordering: AtomicUpdateOrdering)
        -> (oldValue: Value, newValue: Value)
    { update(ordering) { $0 &+= number } }

    @usableFromInline @discardableResult
    package borrowing func wrappingSubtract(_ number: Value, ordering: AtomicUpdateOrdering)
        -> (oldValue: Value, newValue: Value)
    { update(ordering) { $0 &-= number } }

    @usableFromInline @discardableResult
    package borrowing func add(_ number: Value, ordering: AtomicUpdateOrdering)
        -> (oldValue: Value, newValue: Value)
    { update(ordering) { $0 += number } }

    @usableFromInline @discardableResult
    package borrowing func subtract(_ number: Value, ordering: AtomicUpdateOrdering)
        -> (oldValue: Value, newValue: Value)
    { update(ordering) { $0 -= number } }

    @discardableResult
    package borrowing func max(_ number: Value, ordering: AtomicUpdateOrdering)
        -> (oldValue: Value, newValue: Value)
    { update(ordering) { $0 = Swift.max($0, number) } }
}

extension AtomicUpdateOrdering {
    fileprivate var acquires: Bool { self != .relaxed && self != .releasing }
    fileprivate var releases: Bool { self != .relaxed && self != .acquiring }
}

@usableFromInline
func atomicMemoryFence(ordering: AtomicUpdateOrdering) { explorer?.reach(.fence) }
