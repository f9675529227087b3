// faultPoint: a named point at which tests inject failures, delays and cancels.

extension Future {
    /// Marks a point in a chain at which tests can inject failures, delays and cancels, by the product
    /// `FuturesTesting`.
    ///
    ///     connection.write(record).faultPoint("log.written").flatMap { connection.flush() }
    ///
    /// A fault takes effect when this future has succeeded: an injected failure replaces its value, as if a reply was
    /// lost, and the rest of the chain does not run. A repetition of the chain comes to the point again. A failure of
    /// this future is passed on.
    ///
    /// Outside of tests, this returns the future itself. It then takes the time of one load, and allocates nothing. The
    /// point exists in futures made while the process runs a simulation, has a `VirtualTime`, or injects faults.
    ///
    /// The current scheduler measures injected delays, and decides which faults are injected: those of its virtual time
    /// or simulation, or those of the process.
    ///
    /// - Parameter name: The name by which tests refer to the point. Several points may have the same one.
    /// - Returns: This future, or one with the same result unless a fault is injected.
    public consuming func faultPoint(_ name: String) -> Future {
        // To find the current scheduler would take longer than this.
        guard Worlds.areThere else { return self }
        let scheduler = Scheduler.current
        return step(on: .inPlace, .values) { result in
            guard case .success = result else { return .result(result) }
            switch scheduler.backend.faults?.takeFault(at: name) {
            case nil: return .result(result)
            case .failure(let error): return .error(error)
            case .delay(let delay): return .delayed(result, by: delay, on: scheduler)
            }
        }
    }
}
