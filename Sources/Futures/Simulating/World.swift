// World: what takes the place of threads, timers and clocks while a thread runs a simulation, and injected faults.

internal import CFutures

/// A simulation, as schedulers, tasks and `wait` see it: it has every job that its thread would pass to another thread.
package protocol World: AnyObject, Sendable {
    /// The stand-in for `scheduler`, whose mechanism is `real` outside of the simulation.
    func backend(of scheduler: Scheduler, insteadOf real: any SchedulerBackend) -> any SchedulerBackend

    /// The executor of tasks that would run on `scheduler`.
    func executor(of scheduler: Scheduler) -> any TaskExecutor

    /// A future has started a task. `canceller` cancels it, and lives as long as the future is pending.
    func started(_ canceller: any Disposable & AnyObject)

    /// The next of the numbers that stand for the system's random numbers.
    func random() -> UInt64

    /// Runs jobs until `isDone`, or until `timeout` has passed on the simulation's clock.
    ///
    /// Throws if nothing more can run before that; `description` says what was waited for.
    func run(until isDone: () -> Bool, timeout: Duration?, for description: () -> String) throws
}

/// The simulations of this process, and the other replacements that tests have made for threads, timers and clocks.
package enum Worlds {
    /// Whether any thread runs a simulation, or a test has virtual time or injects faults. One load, as each hop asks.
    @inline(__always)
    static var areThere: Bool { cfutures_is_simulating() }

    /// The simulation that the calling thread runs.
    package static var here: (any World)? { areThere ? ThreadState.here.world : nil }

    /// The stand-in for the concurrent pool in the simulation that the calling thread runs; nil if it runs none.
    static var pool: (any TaskExecutor)? { here?.executor(of: .background) }

    /// Calls `body` with `world` as the simulation that the calling thread runs. What the thread executes outside of
    /// that does not count meanwhile: neither its schedulers nor its jobs, nor what it has yet to release.
    package static func run<T>(_ world: any World, _ body: () throws -> T) rethrows -> T {
        change(by: 1)
        let storage = ThreadState.here.storage
        let outer = storage.move()
        storage.initialize(to: ThreadState.Storage())
        storage.pointee.world = world
        defer {
            storage.pointee = outer
            change(by: -1)
        }
        return try body()
    }

    /// Changes the number of simulations, virtual times and injected faults.
    package static func change(by difference: Int32) { cfutures_count_simulation(difference) }

    /// The faults of schedulers that are neither simulated nor virtual.
    package static let processFaults = Locked<(any FaultSource)?>(nil)
}

extension ThreadState {
    /// The simulation that this thread runs.
    var world: (any World)? { storage.pointee.world }

    /// The mechanism of the innermost scheduler with a clock of its own that this thread executes.
    ///
    /// In a simulation there is none, because all schedulers are simulated.
    var clock: (any SchedulerBackend)? {
        world == nil ? firstScheduler { scheduler, _ in scheduler.hasOwnClock }?.realBackend : nil
    }
}

/// What a test injects at a fault point. A cancel is a failure with a `CancellationError`.
package enum InjectedFault: Sendable {
    case failure(any Error)
    case delay(Duration)
}

/// The faults that tests inject: in a simulation, in virtual time, or in the whole process.
package protocol FaultSource: AnyObject, Sendable {
    /// Returns the fault to inject at the point of this name, which was reached, and counts it as injected.
    func takeFault(at point: String) -> InjectedFault?
}
