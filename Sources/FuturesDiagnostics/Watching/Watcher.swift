// Watcher: checks at intervals what takes too long, while diagnosing is on.

internal import CFutures
import Dispatch
import Futures

/// One timer of the process, on a queue of its own that no code of users' runs on: so no thread that they block delays
/// it.
// Not a timer of the library's, which belongs to the simulation or the virtual clock that it is started in.
enum Watcher {
    private struct State {
        var limits = Diagnostics.Limits()
        /// The chain of checks that continues; nil if checks are off.
        var round: Int?
        var roundCount = 0
        /// What the checks have found; nil while one is in progress.
        var watch: Watch? = Watch()

        /// Starts the checks, unless they are running. Returns the chain to schedule, and the pause before its first
        /// check.
        mutating func start() -> (round: Int, pause: Duration)? {
            guard round == nil else { return nil }
            limits.apply()
            return startRound()
        }

        /// Starts a chain of checks, which ends the one before.
        mutating func startRound() -> (round: Int, pause: Duration) {
            roundCount += 1
            round = roundCount
            return (roundCount, limits.interval)
        }
    }

    /// Recording, the limits and the checks are switched under its lock, so that they agree in the end.
    private static let state = Locked(State())
    private static let queue = DispatchQueue(label: "futures.diagnostics")

    static var limits: Diagnostics.Limits {
        get { state.withLock { $0.limits } }
        set {
            schedule(
                state.withLock { state in
                    state.limits = newValue
                    newValue.apply()
                    return Recording.isOn ? state.startRound() : nil
                })
        }
    }

    /// Switches recording and the checks on or off.
    static func set(isOn: Bool) {
        schedule(
            state.withLock { state in
                Recording.set(isOn)
                if !isOn { state.round = nil }
                return isOn ? state.start() : nil
            })
    }

    /// Starts the checks of a process in which recording is on from its start.
    static func startWithProcess() { schedule(state.withLock { $0.start() }) }

    private static func schedule(_ first: (round: Int, pause: Duration)?) {
        if let first { schedule(first.round, after: first.pause) }
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
    // A check may release the last reference to a future. A simulation would continue on this thread then, and not be
    // the same for the same seed.
    static func events(
        foundBy watch: inout Watch, _ limits: Diagnostics.Limits, now: ContinuousClock.Instant
    ) -> [Diagnostics.Event] {
        cfutures_is_simulating() ? [] : watch.check(limits, now: now)
    }

    /// Whether checks are made, for tests.
    static var isChecking: Bool { state.withLock { $0.round != nil } }
}
