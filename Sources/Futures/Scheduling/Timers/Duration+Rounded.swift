// Durations as error messages show them.

extension Duration {
    /// This duration for a message: rounded to milliseconds, or below one second to microseconds, and as a delay.
    ///
    /// The time that is left until a deadline has digits that tell a reader nothing, such as 4.999871302 seconds.
    package var rounded: Duration {
        let delay = asDelay
        let (seconds, attoseconds) = delay.components
        let unit: Int64 = seconds > 0 ? 1_000_000_000_000_000 : 1_000_000_000_000
        // Below a microsecond there is nothing to round.
        guard seconds > 0 || attoseconds >= unit, seconds < .max else { return delay }
        let rounded = (attoseconds + unit / 2) / unit * unit
        return Duration(secondsComponent: seconds, attosecondsComponent: rounded)
    }
}
