// FutureReadWriteLock: any number of readers, or one writer.

/// An asynchronous lock for any number of concurrent readers, or one writer alone.
///
///     let lock = FutureReadWriteLock()
///     lock.reading.enqueue { glossary.find(word) }            // returns a future
///     lock.writing.run { try await glossary.add(word) }       // asynchronous code
///
/// The lock is fair: it is granted in first-in, first-out order, so a reader behind a writer waits for it, and neither
/// starves. Waiting blocks no thread, and can be cancelled.
public final class FutureReadWriteLock: TurnQueue {
    @usableFromInline let core: QueueCore<Void>

    /// Where operations wait for their turn.
    public static func _line(of queue: FutureReadWriteLock) -> Line { queue.core.line }

    /// Creates an unlocked lock.
    ///
    /// - Parameters:
    ///   - label: What messages call the lock; nil for the place where it is made.
    ///   - file: The file in that place.
    ///   - line: The line in that place.
    public init(label: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        core = QueueCore((), Line(LineLimits(.max), named: LineName("FutureReadWriteLock", label, file, line)))
    }

    deinit { core.line.resume() }

    /// The turns of readers, which run concurrently.
    @inlinable public var reading: TurnSource<Void> { TurnSource(core) }

    /// The turns of writers, each of which runs alone.
    @inlinable public var writing: TurnSource<Void> { TurnSource(core, weight: .max) }
}
