// Clocks: delays and timeouts on any clock whose durations are of the type `Duration`.

extension Future {
    /// Returns a future with the same value or error, `duration` after this one has completed.
    ///
    /// Cancelling it ends the clock's sleep. A duration that is not positive does not delay the result.
    ///
    /// - Parameters:
    ///   - duration: The delay, at most 136 years: longer ones are as long as that.
    ///   - tolerance: How late the clock may be; nil for its default.
    ///   - clock: The clock that measures the duration.
    public func delay<C: Clock>(
        by duration: Duration, tolerance: Duration? = nil, clock: C
    ) -> Future where C.Duration == Duration {
        flatMapResult(on: .inPlace) { result in
            Future<Void>.sleeping(for: duration, tolerance: tolerance, clock: clock)
                .map(on: .inPlace) { try result.get() }
        }
    }

    /// Returns a future with the same result, which fails if there is none within `duration`.
    ///
    /// When the limit passes, the returned future fails with ``FutureError/timedOut(after:origin:)``, which contains
    /// the file and line of this call, and this future is cancelled unless it has other listeners. If this future has
    /// completed already, its result is passed on, whatever the limit.
    ///
    /// Swift's own clocks keep about 400 bytes of a sleep that was ended until its time has passed. For long limits of
    /// many futures, use ``timeout(after:on:file:line:)``, whose timers keep nothing.
    ///
    /// - Parameters:
    ///   - duration: The time limit, at most 136 years: longer ones are as long as that. If it is zero or negative, the
    ///     limit passes at the next turn of the current scheduler.
    ///   - tolerance: How late the clock may be; nil for its default.
    ///   - clock: The clock that measures the duration.
    ///   - file: The file in the error.
    ///   - line: The line in the error.
    public func timeout<C: Clock>(
        after duration: Duration, tolerance: Duration? = nil, clock: C, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future where C.Duration == Duration {
        guard duration > .zero else { return timeout(after: duration, file: file, line: line) }
        let origin = FutureError.SourceLocation(file, line: line)
        let time = Future<Void>.sleeping(for: duration, tolerance: tolerance, clock: clock)
        return select(self, or: time).map(on: .inPlace) { first in
            guard case .left(let value) = first else { throw FutureError.timedOut(after: duration, origin: origin) }
            return value
        }
    }
}

extension Future where Value == Void {
    /// Returns a future that succeeds after `duration` on `clock`. A task sleeps meanwhile, which is cancelled with the
    /// future.
    fileprivate static func sleeping<C: Clock>(
        for duration: Duration, tolerance: Duration?, clock: C
    ) -> Future where C.Duration == Duration {
        guard duration > .zero else { return Future() }
        // Swift's own clocks trap if the nanoseconds from now to the deadline exceed 64 bits.
        let duration = min(duration, .seconds(1 << 32))
        let tolerance = tolerance.map { min(max($0, .zero), .seconds(1 << 32)) }
        return Future { try await clock.sleep(for: duration, tolerance: tolerance) }
    }
}
