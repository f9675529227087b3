// LatestOperation: of many operations, the last one wins.

/// Runs one operation at a time, the latest: it cancels the one before it.
///
///     let search = LatestOperation(debounce: .milliseconds(300))      // search as you type
///     search.future { page(at: url) }.onValue { show($0) }            // with each key
///
/// The start of an operation cancels the operation that runs: its future fails with a `CancellationError`, even if it
/// has listeners. A call whose operation has not been called yet is superseded by the next one: its future fails alike,
/// and its operation is never called. So with waiting times:
///
///     calls:           -a-b-c-------d----
///     debounce of 3:   --------c-------d-     only the last call of a burst
///     throttle of 5:   -a----c------d----     the first and the last call, at most one start in an interval
///
/// An operation continues while calls wait. With both times, a call waits for the longer one.
///
/// Each caller can cancel its own future. A repetition of that is a call of its own, which supersedes later ones: put a
/// retry into the operation.
public final class LatestOperation: Sendable {
    private let state: Locked<LatestState>
    private let clock: Scheduler

    /// Creates an object without operations.
    ///
    /// - Parameters:
    ///   - quietTime: How long each call waits before its operation starts.
    ///   - interval: The least time between the starts of two operations.
    ///   - scheduler: The scheduler whose clock measures these times.
    public init(
        debounce quietTime: Duration = .zero, throttle interval: Duration = .zero, on scheduler: Scheduler = .background
    ) {
        state = Locked(LatestState(quietTime: quietTime.asDelay, interval: interval.asDelay))
        // Without times, reading a real clock would count as an escape from virtual time.
        clock = max(quietTime, interval) > .zero ? scheduler : .unblocked
    }

    /// Returns a future of the result of `operation`, unless a later call cancels it. The closure of asynchronous code
    /// returns a `Future { try await … }`, whose task a later call cancels.
    ///
    /// - Parameter operation: Runs on the closure's actor, or else on the current scheduler. An error that it throws is
    ///   its result.
    public func future<T: Sendable>(
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        future(on: .inferred(from: operation.isolation), Beginning(.isolated(operation)).call)
    }

    /// The same, called on `scheduler`.
    package func future<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        Future<Void>().step(on: .inPlace, .values) { [self] _ in
            // Opened with the time to wait, outside of the lock.
            let gate = Promise<Duration>()
            let id = gate.future.node
            let call = gate.future
                .step(on: .inPlace, .values) { [clock] in .delayed(.success(()), by: try $0.get(), on: clock) }
                .flatMap(on: scheduler) { [self] in
                    let now = clock.now
                    try state.withLock { try $0.start(id, at: now) }?.end(with: CancellationError())
                    return try operation()
                }
                .always(on: .inPlace) { [self] in
                    let ended = state.withLock { $0.end(id) }
                    withExtendedLifetime(ended) {}
                }
            let now = clock.now
            let (delay, superseded) = state.withLock { $0.wait((id, call.node), at: now) }
            superseded?.end(with: CancellationError())
            gate.succeed(delay)
            return .future(call)
        }
    }
}

/// Which call waits, and which one runs. A pure state machine: it calls nothing.
///
///     waiting ──its time has passed──► running ──► ended
///        └──the next call──► superseded ◄──┘ the next start
private struct LatestState {
    /// The node of a call's gate, by which the call is known, and that of its result.
    typealias Call = (id: Node, end: Node)

    let quietTime: Duration
    let interval: Duration
    var waiting: Call?
    var running: Call?
    var nextStart: ContinuousClock.Instant?

    /// Returns how long a call has to wait, and the waiting call that it supersedes.
    mutating func wait(_ call: Call, at now: ContinuousClock.Instant) -> (delay: Duration, superseded: Node?) {
        let superseded = waiting?.end
        waiting = call
        return (max(quietTime, nextStart.map { now.duration(to: $0) } ?? .zero), superseded)
    }

    /// Returns the running call, which the start of this one supersedes. Throws if this was superseded.
    mutating func start(_ id: Node, at now: ContinuousClock.Instant) throws -> Node? {
        guard let call = waiting, call.id === id else { throw CancellationError() }
        let superseded = running?.end
        (waiting, running) = (nil, call)
        if interval > .zero { nextStart = now.after(interval) }
        return superseded
    }

    /// Removes a call that has completed, and returns it, to be released without the lock.
    mutating func end(_ id: Node) -> Call? {
        if waiting?.id === id { return waiting.take() }
        if running?.id === id { return running.take() }
        return nil
    }
}

extension LatestOperation: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        state.withLock { ("LatestOperation", ["isWaiting": $0.waiting != nil, "isRunning": $0.running != nil]) }
    }
}
