// Random durations, of a generator that threads share.

/// Returns a function that draws a random duration of at least its first argument, and at most its second one.
///
/// The generator is user code, so no lock is held while it runs. A number is drawn from a copy of the generator, which
/// then replaces the original, unless another thread has replaced that in the meantime; then the number is drawn again.
func randomDuration(
    using generator: some RandomNumberGenerator & Sendable
) -> @Sendable (Duration, Duration) -> Duration {
    let state = Locked<(generator: any RandomNumberGenerator & Sendable, count: Int)>((generator, 0))
    // At least 0, and less than 1. Not by `Double.random(in:using:)`, which never returns if the generator always
    // returns the same number, as one written for a test may.
    @Sendable func fraction() -> Double {
        while true {
            let old = state.withLock { $0 }
            if let world = Worlds.here, old.generator is SystemRandomNumberGenerator {
                return Double(world.random() >> 11) * 0x1p-53
            }
            var new = old
            let fraction = Double(new.generator.next() >> 11) * 0x1p-53
            new.count += 1
            let isTaken = state.withLock { [new] state in
                guard state.count == old.count else { return false }
                state = new
                return true
            }
            if isTaken { return fraction }
        }
    }
    return { shortest, longest in min(shortest + (longest - shortest) * fraction(), longest) }
}
