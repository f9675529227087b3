// async(every:): work that is repeated at an interval.

extension Scheduler {
    /// Enqueues `work` each time that an interval has passed, until the returned disposable is disposed.
    ///
    ///     let heartbeat = scheduler.async(every: .seconds(30)) { connection.ping() }
    ///     bag += heartbeat
    ///
    /// The calls keep to the times that are multiples of the interval after this call, and do not overlap: if `work`
    /// takes longer than the interval, or its thread is late, the times that were missed are skipped. To repeat a
    /// future, use `onValueRepeat(delayBetweenRepetitions:)`.
    ///
    /// - Returns: A disposable that stops the timer and releases `work`. A call in progress continues. Releasing the
    ///   disposable does not stop the timer.
    /// - Precondition: `interval` is longer than zero.
    public func async(
        every interval: Duration, file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () -> Void
    ) -> any Disposable {
        guard interval > .zero else {
            fatalError(
                "The interval must be longer than zero: use async(_:) for work to run now.", file: file, line: line)
        }
        let (timer, start, interval) = (OwnedTimer(), now, interval.asDelay)
        /// Starts the timer, which this retains, for the next multiple of the interval.
        @Sendable func startNext() {
            // How long ago the last multiple was. A count of intervals would overflow with short ones.
            let passed = start.duration(to: now).attoseconds % interval.attoseconds
            timer.start(after: interval - Duration(attoseconds: passed), on: self) {
                work()
                startNext()
            }
        }
        startNext()
        return timer
    }
}
