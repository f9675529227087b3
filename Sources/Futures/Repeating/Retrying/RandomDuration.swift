// Random durations, of a generator that threads share.

/// Returns a function that draws a random duration of at least its first argument, and at most its second one. It calls
/// the generator under a lock.
func randomDuration(
    using generator: some RandomNumberGenerator & Sendable
) -> @Sendable (Duration, Duration) -> Duration {
    let state = Locked(generator)
    let isSystem = generator is SystemRandomNumberGenerator
    return { shortest, longest in
        let number = (isSystem ? Worlds.here?.random() : nil) ?? state.withLock { $0.next() }
        // At least 0, and less than 1. Not by `Double.random(in:using:)`, which never returns if the generator always
        // returns the same number, as one written for a test may.
        let fraction = Double(number >> 11) * 0x1p-53
        return min(shortest + (longest - shortest) * fraction, longest)
    }
}
