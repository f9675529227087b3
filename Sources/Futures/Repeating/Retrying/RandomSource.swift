// RandomSource: one random number generator for many threads.

/// A random number generator that many threads share.
///
/// The generator is the user's code, so no lock is held while it runs: a number is drawn from a copy, and taken if no
/// other thread has drawn meanwhile; else it is drawn again.
final class RandomSource: Sendable {
    private struct State: Sendable {
        var generator: any RandomNumberGenerator & Sendable
        var count = 0
    }

    private let state: Locked<State>

    init(_ generator: some RandomNumberGenerator & Sendable) {
        state = Locked(State(generator: generator))
    }

    /// A duration between two others, the ends included.
    func duration(in shortest: Duration, _ longest: Duration) -> Duration {
        let fraction = fraction()
        return min(shortest + (longest - shortest) * fraction, longest)
    }

    /// A number from 0 to 1.
    private func fraction() -> Double {
        while true {
            let old = state.withLock { $0 }
            var new = old
            let fraction = Double.random(in: 0...1, using: &new.generator)
            new.count += 1
            let isTaken = state.withLock { [new] state in
                guard state.count == old.count else { return false }
                state = new
                return true
            }
            if isTaken { return fraction }
        }
    }
}
