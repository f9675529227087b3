// FutureSemaphore: an asynchronous counting semaphore.

/// An asynchronous counting semaphore, whose permits are granted in first-in, first-out order.
///
///     let semaphore = FutureSemaphore(count: 3)
///     semaphore.enqueue { upload(file) }                      // Future<URL>
///     semaphore.run { try await upload(file) }                // asynchronous code
///     semaphore.acquire().onValue { permit in permit.release() }
///
/// Waiting for a permit blocks no thread, and can be cancelled, which is O(1).
public final class FutureSemaphore: TurnQueue, TurnGiver {
    @usableFromInline let core: QueueCore<Void>

    /// Where operations wait for their turn.
    @inlinable
    public static func _turns(of giver: FutureSemaphore) -> TurnSource<Void> { TurnSource(giver.core) }

    /// Creates a semaphore with `count` permits.
    ///
    /// - Parameters:
    ///   - count: The number of permits.
    ///   - label: What messages call the semaphore; nil for the place where it is made.
    ///   - file: The file named by the trap if `count` is less than 1.
    ///   - line: The line named by the trap if `count` is less than 1.
    /// - Precondition: `count` is at least 1.
    public init(count: Int, label: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        LineLimits.check(count, "A semaphore's count", file: file, line: line)
        core = QueueCore((), Line(LineLimits(count), named: LineName("FutureSemaphore", label, file, line)))
    }

    deinit { core.line.resume() }
}
