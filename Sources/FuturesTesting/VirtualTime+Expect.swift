// expectCompletes and expectNeverCompletes, with virtual time and in simulations.

import Futures

extension VirtualTime {
    /// Moves the clock from timer to timer until `future` completes, and returns its value or throws its error.
    ///
    /// - Parameters:
    ///   - future: The future that has to complete.
    ///   - limit: How far to move the clock, at most. If it is nil, until nothing is pending.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Returns: The value of the future.
    /// - Throws: The error of the future; an error if it is still pending, with its chain, with what has
    ///   left virtual time, and, while diagnosing is on, with a report of everything that is pending.
    /// - Precondition: No other thread is moving the clock.
    @discardableResult
    public func expectCompletes<Value: Sendable>(
        _ future: Future<Value>, within limit: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Value {
        run(until: { future.isCompleted }, within: limit, file, line)
        if let result = future.result { return try result.get() }
        let hint = escapes.isEmpty ? "" : " \(Escaped(clock.escapes))"
        throw ExpectationFailed("After \(now), " + pending(future, hint: hint), file, line)
    }

    /// Moves the clock from timer to timer until nothing is pending, and expects that `future` does not complete.
    ///
    /// - Parameters:
    ///   - future: The future that must not complete.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Throws: An error if the future has completed, with its result and the time; one if
    ///   work is pending after a million callbacks and timers; ``Escaped`` if work has left virtual time, which might
    ///   complete the future.
    /// - Precondition: No other thread is moving the clock.
    public func expectNeverCompletes<Value: Sendable>(
        _ future: Future<Value>, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        run(until: { future.isCompleted }, within: nil, file, line)
        if let result = future.result { throw ExpectationFailed("After \(now), " + completed(result), file, line) }
        try checkNothingPending()
    }
}

extension Simulation {
    /// Runs the simulation's jobs until nothing more can run, and expects that `future` does not complete.
    ///
    /// - Parameters:
    ///   - future: The future that must not complete.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Throws: An error if the future has completed, with its result and the time, or after too
    ///   many jobs; ``Escaped``.
    /// - Precondition: The calling thread runs a simulation.
    public static func expectNeverCompletes<Value: Sendable>(
        _ future: Future<Value>, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        guard let world = Worlds.here as? SimulatedWorld else {
            fatalError(
                "Simulation.expectNeverCompletes was called outside of a simulation. On real threads, no test can know that.",
                file: file, line: line)
        }
        do {
            try world.run(until: { future.isCompleted }, timeout: nil) { "nothing" }
        } catch is Stuck {}
        if let result = future.result {
            throw ExpectationFailed("After \(world.elapsed), " + completed(result), file, line)
        }
    }
}

private func completed<Value>(_ result: Result<Value, any Error>) -> String {
    "the future has completed, although it never should: \(result)."
}
