// Clocks: delays and timeouts by any clock that counts in seconds.

extension Future {
    /// The same result, once `duration` has passed on `clock` since it came (136 years at most); errors are delayed, too.
    public func delay<C: Clock>(
        by duration: Duration, tolerance: Duration? = nil, clock: C
    ) -> Future where C.Duration == Duration {
        flatMapResult(on: .inPlace) { result in
            Future<Void>.sleeping(for: duration, tolerance: tolerance, clock: clock)
                .map(on: .inPlace) { try result.get() }
        }
    }

    /// The same result, or ``FutureError/timedOut(after:origin:)`` if there is none before `duration` has passed on `clock`.
    ///
    /// What took too long is cancelled, unless somebody else listens to it. The error names the file and line of this call.
    public func timeout<C: Clock>(
        after duration: Duration, tolerance: Duration? = nil, clock: C, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future where C.Duration == Duration {
        let origin = FutureError.Origin(file, line: line)
        let time = Future<Void>.sleeping(for: duration, tolerance: tolerance, clock: clock)
        return select(self, or: time).map(on: .inPlace) { first in
            guard case .left(let value) = first else { throw FutureError.timedOut(after: duration, origin: origin) }
            return value
        }
    }
}

extension Future where Value == Void {
    /// A future that succeeds when `duration` has passed on `clock`, in a task; cancelling it ends the clock's sleep.
    fileprivate static func sleeping<C: Clock>(
        for duration: Duration, tolerance: Duration?, clock: C
    ) -> Future where C.Duration == Duration {
        guard duration > .zero else { return Future() }
        // Swift's own clocks count nanoseconds from now on in 64 bits, and trap where those do not suffice.
        let duration = min(duration, .seconds(1 << 32))
        let tolerance = tolerance.map { min($0, .seconds(1 << 32)) }
        return Future { try await clock.sleep(for: duration, tolerance: tolerance) }
    }
}
