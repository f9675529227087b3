// Serial, serially: runs Deferreds and progressions one after the other.

/// Runs deferreds and progressions one after the other, in the order in which they were started.
///
///     let disk = Serial()
///     let saving = Deferred { try write(data) }.serially(on: disk)
///
/// It is built on a ``FutureQueue``, whose rules apply. A run that is cancelled keeps its turn until the stage that
/// runs in place, or the start of the deferred, has returned. If there is none, because it waits for a future, the next
/// run starts immediately. A transform of a deferred that is called later, when such a future has completed, may
/// overlap with the next run.
public final class Serial: Sendable {
    let queue = FutureQueue<Void>()

    /// Creates a `Serial` on which nothing is running or waiting.
    public init() {}
}

extension Deferred {
    /// Returns a deferred whose runs wait for their turn in `serial`, and keep it until they complete.
    ///
    /// A run that is cancelled while it waits never starts. What its start calls in place, a cancel does not stop; for
    /// the stages of a progression, use ``Progression/serially(on:file:line:)``. A run must not wait for another run on
    /// the same `Serial`: if this is detected, it fails with ``QueueError/deadlock(running:waiting:)``; otherwise both
    /// stay pending.
    ///
    /// - Parameters:
    ///   - serial: What the runs wait for.
    ///   - file: The file that the error of a deadlock names.
    ///   - line: The line that it names.
    public func serially(on serial: Serial, file: StaticString = #fileID, line: UInt = #line) -> Deferred {
        Deferred { start in serial.queue.enqueue(on: start, file: file, line: line) { self.start(on: start) } }
    }
}

extension Progression {
    /// Returns a deferred of runs of this progression, which wait for their turn in `serial`, and keep it until they
    /// complete.
    ///
    /// A run that is cancelled while it waits never starts; one that is running starts no other stage. A run must not
    /// wait for another run on the same `Serial`: if this is detected, it fails with
    /// ``QueueError/deadlock(running:waiting:)``; otherwise both stay pending.
    ///
    /// - Parameters:
    ///   - serial: What the runs wait for.
    ///   - file: The file that the error of a deadlock names.
    ///   - line: The line that it names.
    public func serially(
        on serial: Serial, file: StaticString = #fileID, line: UInt = #line
    ) -> Deferred<Result> {
        Deferred { start in serial.queue.enqueue(on: start, file: file, line: line) { runNext(on: start) } }
    }
}
