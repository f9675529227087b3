// Atomic: stands for the standard library's atomics where interleavings are explored (EXPLORING).

#if EXPLORING

    public import Synchronization

    /// An atomic with the interface of `Synchronization.Atomic`, which it hides in this module: at each access, the explorer
    /// may run another thread first.
    ///
    /// The explorer runs one thread at a time, so that the order of accesses is the one that it has chosen. What orderings
    /// promise beyond that, it tracks itself. A lock keeps the accesses of threads apart that it does not run.
    // Safe to share: the lock protects the cell.
    @usableFromInline
    package struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {
        /// Gives this struct a place of its own, as the standard library's atomic has one.
        private let anchor = Synchronization.Atomic<UInt8>(0)
        private let cell: UnsafeMutablePointer<Value>

        @usableFromInline
        package init(_ value: consuming Value) {
            cell = .allocate(capacity: 1)
            cell.initialize(to: value)
        }

        deinit {
            explorer?.access(UnsafeRawPointer(cell), .forget)
            cell.deinitialize(count: 1)
            cell.deallocate()
        }

        /// The value, for checks. This is no access that the explorer knows of.
        package borrowing func peek() -> Value { accesses.withLock { _ in cell.pointee } }

        fileprivate borrowing func access<T>(
            _ point: (UnsafeRawPointer) -> ExplorationPoint, _ body: (inout Value) -> T
        ) -> T {
            explorer?.reach(point(UnsafeRawPointer(cell)))
            return accesses.withLock { _ in body(&cell.pointee) }
        }
    }

    private let accesses = Mutex<Void>(())

    extension Atomic where Value: Equatable {
        @usableFromInline
        package borrowing func load(ordering: AtomicLoadOrdering) -> Value {
            access({ .load($0, acquires: ordering != .relaxed) }, { $0 })
        }

        @usableFromInline
        package borrowing func store(_ value: consuming Value, ordering: AtomicStoreOrdering) {
            let value = value
            access({ .store($0, releases: ordering != .relaxed) }, { $0 = value })
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
            let (expected, desired) = (expected, desired)
            return access({ .exchange($0, acquires: ordering.acquires, releases: ordering.releases) }) { cell in
                defer { if cell == expected { cell = desired } }
                return (cell == expected, cell)
            }
        }

        @usableFromInline @discardableResult
        package borrowing func compareExchange(
            expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
            failureOrdering: AtomicLoadOrdering
        ) -> (exchanged: Bool, original: Value) {
            compareExchange(expected: expected, desired: desired, ordering: successOrdering)
        }

        fileprivate borrowing func update(
            _ ordering: AtomicUpdateOrdering, _ body: (inout Value) -> Void
        ) -> (oldValue: Value, newValue: Value) {
            access({ .update($0, acquires: ordering.acquires, releases: ordering.releases) }) { cell in
                let old = cell
                body(&cell)
                return (old, cell)
            }
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

#endif
