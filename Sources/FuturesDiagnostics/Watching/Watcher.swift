// Watcher: checks at intervals what takes too long, while diagnosing is on.

internal import CFutures
internal import Dispatch
internal import Futures

/// One timer of the process, on a queue of its own that no code of users' runs on: so no thread that they block delays it.
// Not a timer of the library's, which belongs to the simulation or the virtual clock that it is started in.
enum Watcher {
    private struct State {
        var limits = Diagnostics.Limits()
        /// The chain of checks that continues; nil if checks are off.
        var round: Int?
        var roundCount = 0
        /// What the checks have found; nil while one is in progress.
        var watch: Watch? = Watch()
    }

    private static let state = Locked(State())
    /// Whether recording was switched on. Held while it, the limits or the checks are switched, so that they agree in the end.
    // Not `Void`: the thread sanitizer takes accesses to a value without a size for those of the object.
    private static let switching = Locked(false)
    private static let queue = DispatchQueue(label: "futures.diagnostics")

    static var limits: Diagnostics.Limits {
        get { state.withLock { $0.limits } }
        set {
            switching.withLock { _ in
                state.withLock { $0.limits = newValue }
                newValue.apply()
                if Recording.isOn { restart() }
            }
        }
    }

    /// Switches recording and the checks on or off.
    static func set(isOn: Bool) {
        switching.withLock { wasOn in
            wasOn = isOn
            Recording.set(isOn)
            if isOn { start() } else { state.withLock { $0.round = nil } }
        }
    }

    /// Starts the checks of a process in which recording is on from its start.
    static func startWithProcess() { switching.withLock { _ in start() } }

    /// Starts the checks, unless they are running.
    private static func start() {
        guard state.withLock({ $0.round == nil }) else { return }
        limits.apply()
        restart()
    }

    /// Starts the checks again, with the current limits.
    private static func restart() {
        let (round, interval) = state.withLock { state in
            state.roundCount += 1
            state.round = state.roundCount
            return (state.roundCount, state.limits.interval)
        }
        schedule(round, after: interval)
    }

    private static func schedule(_ round: Int, after pause: Duration) {
        // Dispatch cannot represent every duration.
        let pause = min(max(pause, .milliseconds(1)), .seconds(3600))
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))) { check(round) }
    }

    private static func check(_ round: Int) {
        let next = state.withLock { state -> (limits: Diagnostics.Limits, watch: Watch)? in
            guard state.round == round, Recording.isOn else { return nil }
            defer { state.watch = nil }
            return (state.limits, state.watch ?? Watch())
        }
        guard let limits = next?.limits, var watch = next?.watch else { return }
        let start = ContinuousClock.now
        let events = events(foundBy: &watch, limits, now: start)
        for event in events { EventFlow.add(event) }
        state.withLock { $0.watch = watch }
        // What was found is described once, and for the first time the symbols of the program are read.
        schedule(round, after: max(limits.interval, start.duration(to: .now) * (events.isEmpty ? 20 : 2)))
    }

    /// Checks, unless a simulation is running.
    // A check may release the last reference to a future. A simulation would continue on this thread then, and not be the same
    // for the same seed.
    static func events(
        foundBy watch: inout Watch, _ limits: Diagnostics.Limits, now: ContinuousClock.Instant
    ) -> [Diagnostics.Event] {
        cfutures_is_simulating() ? [] : watch.check(limits, now: now)
    }

    /// Whether checks are made, for tests.
    static var isChecking: Bool { switching.withLock { _ in state.withLock { $0.round != nil } } }
}
