// Tick: a point in time as a number, for the heap of timers.

/// A point in time as a number.
///
/// The layout of `ContinuousClock.Instant` is known at run time only, so moving one calls functions of the runtime:
/// with them, a timer of a busy heap took four times the instructions. Converting takes a subtraction and a shift.
package struct Tick: Comparable, Sendable {
    /// The number of units of 2^30 attoseconds (1.07 ns) since the first use in this process; the last one is 313 years
    /// later, which means never.
    let count: Int64

    private static let unit = 30
    private static let reference = ContinuousClock.now

    package init(count: Int64) { self.count = count }

    /// The current time, rounded down.
    package static var now: Tick {
        #if EXPLORING
            if let explorer { return Tick(count: explorer.time) }
        #endif
        // First, so that the first use is not before it.
        let reference = reference
        return Tick(count: Int64(truncatingIfNeeded: reference.duration(to: .now).attoseconds >> unit))
    }

    /// Returns a time that is at least `delay` later, as `now` may be a unit too early. A negative delay counts as
    /// zero.
    package func after(_ delay: Duration) -> Tick {
        let units = max(delay.attoseconds, 0) >> Self.unit + 2
        return Tick(count: Int64(min(Int128(count) + units, Int128(Int64.max))))
    }

    /// The number of nanoseconds from `earlier` to this time, rounded up; zero if this is the earlier one. They must be
    /// less than 200 years apart.
    package func nanoseconds(after earlier: Tick) -> Int {
        Int((Double(max(count - earlier.count, 0)) * 1.073741824).rounded(.up))
    }

    package static func < (a: Tick, b: Tick) -> Bool { a.count < b.count }
}
