// Simulation: runs concurrent code on one thread, in an order that a seed decides.

import Futures

/// Runs concurrent code on one thread, with virtual time, in an order that a seed decides: the same seed gives the same
/// run.
///
///     let balance = try Simulation.run(seed: 7) {
///         let accounts = KeyedFutureQueue<String>()
///         let transfers = (1...3).map { transfer($0, by: accounts) }
///         return try join(transfers).wait()
///     }
///
/// In the closure, every scheduler is simulated, with all timers, queues, pools and retries: `.main`, `.background`,
/// those with a label, around a dispatch queue, or of an actor. Code needs no scheduler as a
/// parameter for that. Instead of waking a thread, a scheduler keeps its jobs; one after the other is chosen and runs
/// on the calling thread. Time passes only when no job can run, and then immediately, until the next timer expires.
///
/// ``explore(runs:seed:file:line:_:)-swift.type.method`` tries many orders.
///
/// **What is simulated.** The jobs of serial schedulers run in their order; those of concurrent schedulers in any
/// order. No job is interrupted: a race between two closures that really run at the same time is not found here, but by
/// the thread sanitizer. A `wait()` runs other jobs before it returns. If such a job calls `wait()` itself, for
/// something that the outer code does after its own `wait()`, it throws ``Stuck``, although it would return with
/// several threads. The random numbers of a `RetryPolicy` come from the seed, and `Scheduler.now` is virtual.
///
/// **Tasks** that futures, queues, locks and pools start run in the simulation, with the actors that have no executor
/// of their own. Code of the main actor and of actors with other executors, `Task.sleep`, and what continues on a
/// thread of some other library do not: if such code resumes a task of the simulation, it fails with ``Escaped``.
///
/// **Not simulated** are threads that the closure creates, blocks that it submits to a dispatch queue, and blocking by
/// other means than `wait()`. A future that only such code completes never completes here, and a `wait` for it throws
/// ``Stuck``.
///
/// **Isolation is not simulated.** Callbacks of an actor run on the actor: while another thread uses it, or if it has an
/// executor of its own, outside of the simulation. Callbacks on `.main` run on the main thread: if the simulation is on
/// another one, it fails with ``Escaped``, which names the future that they are attached to.
public enum Simulation {
    /// Runs `body`, and then all callbacks and timers that it has left.
    ///
    /// - Parameters:
    ///   - seed: Decides which job runs next, whenever several can.
    ///   - maxStepCount: How many jobs may run.
    ///   - body: The code to run, on the calling thread. Its current scheduler is `.background`, on which callbacks run
    ///     that it attaches without `on:`.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Returns: What `body` returns.
    /// - Throws: The error of `body`; ``Stuck`` from a `wait()` in it, if nothing more can run; ``Escaped``; an
    ///   error after `maxStepCount` jobs.
    /// - Precondition: The calling thread runs no other simulation.
    public static func run<T>(
        seed: UInt64, maxStepCount: Int = 1_000_000, file: StaticString = #fileID, line: UInt = #line,
        _ body: () throws -> T
    ) throws -> T {
        try run(in: world(.random(SplitMix64(seed: seed)), seed, maxStepCount), file, line, body)
    }

    /// Runs `task` as a task of the simulation, and then all callbacks and timers that it has left.
    ///
    /// - Parameters:
    ///   - seed: Decides which job runs next, whenever several can.
    ///   - maxStepCount: How many jobs may run.
    ///   - task: The code to run.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Returns: What `task` returns.
    /// - Throws: The error of `task`; ``Stuck`` if nothing more can run; ``Escaped``; an error after
    ///   `maxStepCount` jobs.
    /// - Precondition: The calling thread runs no other simulation.
    public static func run<T: Sendable>(
        seed: UInt64, maxStepCount: Int = 1_000_000, file: StaticString = #fileID, line: UInt = #line,
        task: @escaping @Sendable () async throws -> T
    ) throws -> T {
        try run(seed: seed, maxStepCount: maxStepCount, file: file, line: line) { try wait(for: task) }
    }

    /// Runs `body` again in the order of a ``Failure``.
    ///
    /// - Parameters:
    ///   - schedule: The ``Failure/schedule`` of the failure.
    ///   - seed: The ``Failure/seed`` of the failure.
    ///   - body: The code that has failed.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Throws: The error of `body`, and what ``run(seed:maxStepCount:file:line:_:)`` throws.
    /// - Precondition: `schedule` is a list of numbers, as a failure prints it.
    public static func replay(
        _ schedule: String, seed: UInt64, file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Void
    ) throws {
        let choices = Schedule(parsing: schedule, file, line).choices
        try run(in: world(.replay(choices), seed, 1_000_000), file, line, body)
    }

    /// Runs `task` again in the order of a ``Failure`` of an exploration of tasks.
    ///
    /// - Parameters:
    ///   - schedule: The ``Failure/schedule`` of the failure.
    ///   - seed: The ``Failure/seed`` of the failure.
    ///   - task: The code that has failed.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Throws: The error of `task`, and what ``run(seed:maxStepCount:file:line:task:)`` throws.
    /// - Precondition: `schedule` is a list of numbers, as a failure prints it.
    public static func replay(
        _ schedule: String, seed: UInt64, file: StaticString = #fileID, line: UInt = #line,
        task: @escaping @Sendable () async throws -> Void
    ) throws {
        try replay(schedule, seed: seed, file: file, line: line) { try wait(for: task) }
    }

    /// How much time has passed on the clock of the simulation that the calling thread runs.
    ///
    /// - Precondition: It runs one.
    public static var elapsed: Duration {
        guard let world = Worlds.here as? SimulatedWorld else {
            fatalError("Simulation.elapsed is read outside of a simulation. Use a ContinuousClock there.")
        }
        return world.elapsed
    }

    static func world(_ strategy: Chooser.Strategy, _ seed: UInt64, _ maxStepCount: Int) -> SimulatedWorld {
        SimulatedWorld(Chooser(strategy), seed: seed, maxStepCount: maxStepCount)
    }

    static func run<T>(
        in world: SimulatedWorld, _ file: StaticString, _ line: UInt, _ body: () throws -> T
    ) throws -> T {
        guard Worlds.here == nil else {
            fatalError(
                "A simulation was started in another one. Start it after that has ended.", file: file, line: line)
        }
        return try world.run(body)
    }

    static func wait<T: Sendable>(for task: @escaping @Sendable () async throws -> T) throws -> T {
        try Future(task: task).wait()
    }
}
