// Serial, serially: Deferreds and progressions one after the other.

/// A line for what must not run side by side: one run at a time, in the order of the starts.
///
///     let disk = Serial()
///     let write = Deferred { try write(data) }.serially(on: disk)
///
/// It is over a ``FutureQueue``, whose rules apply. A run that is cancelled gives its turn away: at once if it waits for
/// something, though a closure that it has on another thread may still be at work; else when its closure returns.
public final class Serial: Sendable {
    let queue = FutureQueue<Void>()

    /// Makes an empty line.
    public init() {}
}

extension Deferred {
    /// Describes a run that waits for its turn in `serial`, and has it until it is over.
    ///
    /// A run that is cancelled while it waits never begins. One must not start another one on the same line and wait
    /// for it.
    public func serially(on serial: Serial) -> Deferred {
        Deferred { start in serial.queue.enqueue(on: start) { self.start(on: start) } }
    }
}

extension Progression {
    /// Describes a run from this stage to the result that has its turn in `serial` until it is over.
    public func serially(on serial: Serial) -> Deferred<Result> { deferred.serially(on: serial) }
}
