// QueueError: why a queue did not run an operation to its end.

/// Why a queue did not run an operation to its end.
public enum QueueError: Error, Equatable {
    /// The queue accepts no operations any more.
    case closed

    /// So many operations wait already.
    case queueFull(maxWaitingCount: Int)

    /// The operation did not begin within this time.
    case waitedTooLong(Duration)

    /// The operation was not over within this time.
    case ranTooLong(Duration)

    /// The operation enqueued at `running` waits for the one enqueued at `waiting`, which cannot begin before it is over.
    case deadlock(running: FutureError.Origin, waiting: FutureError.Origin)
}

extension QueueError: CustomStringConvertible {
    /// What happened, and what to do about it.
    public var description: String {
        switch self {
        case .closed:
            "The queue is closed and accepts no operations any more."
        case .queueFull(let count):
            "\(count) operations wait already, which is what the queue was made for. Wait for its room(), or make "
                + "it with a higher maxWaitingCount."
        case .waitedTooLong(let duration):
            "The operation was to begin within \(duration), and did not: those before it in the queue take longer."
        case .ranTooLong(let duration):
            "The operation was to be over within \(duration), and was not."
        case .deadlock(let running, let waiting):
            "The operation enqueued at \(running) waits for the one enqueued at \(waiting), which cannot begin before "
                + "it is over: both would wait for ever. Enqueue the second one without waiting for it, or give the "
                + "first one a batch (enqueueBatch) and enqueue into that."
        }
    }
}
