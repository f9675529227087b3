// FutureMutex: an asynchronous mutual-exclusion lock.

/// An asynchronous mutual-exclusion lock, granted in first-in, first-out order.
///
///     let mutex = FutureMutex()
///     mutex.enqueue { load().flatMap { store(change($0)) } }
///     mutex.run { try await store(change(load())) }      // asynchronous code
///
/// Waiting for the lock blocks no thread, and can be cancelled. The lock has no owner and is not recursive: an
/// operation that waits for it while it has it fails with ``QueueError/deadlock(running:waiting:)``. To pass the
/// protected resource to each operation, use a `FutureQueue` with a resource.
public final class FutureMutex: TurnQueue, TurnGiver {
    @usableFromInline let core: QueueCore<Void>

    /// Where operations wait for their turn.
    @inlinable
    public static func _turns(of giver: FutureMutex) -> TurnSource<Void> { TurnSource(giver.core) }

    /// Creates an unlocked lock.
    ///
    /// - Parameters:
    ///   - label: What messages call the lock; nil for the place where it is made.
    ///   - file: The file in that place.
    ///   - line: The line in that place.
    public init(label: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        core = QueueCore((), Line(LineLimits(1), named: LineName("FutureMutex", label, file, line)))
    }

    deinit { core.line.resume() }
}
