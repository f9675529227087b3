// explore: many orders of the same code.

import Futures

extension Simulation {
    /// What an exploration has done.
    public struct Exploration: Sendable {
        /// The number of runs.
        public let runCount: Int
        /// Whether these were all orders that there are.
        public let isExhaustive: Bool
    }

    /// Runs `body` many times, each time in another order, until it throws.
    ///
    ///     try Simulation.explore(runs: 10_000) {
    ///         let queue = FutureQueue()
    ///         let balance = Storage(100)
    ///         let transfers = (1...2).map { n in queue.enqueue { balance.add(n).flatMap { balance.add(-n) } } }
    ///         _ = try join(transfers).wait()
    ///         try Simulation.check(balance.number == 100)
    ///     }
    ///
    /// Half of the runs go through the orders one by one; if that comes to the end, all have been tried. The others are
    /// random: half of them with equal probabilities, and half with random priorities, which change at two steps. Those
    /// find a bug that needs three ordering constraints, among *n* schedulers and *k* choices, with a probability of at
    /// least 1/(*n* *k*²) in each run (Burckhardt et al., ASPLOS 2010).
    ///
    /// An order that fails is made as short as a few hundred further runs can make it.
    ///
    /// - Parameters:
    ///   - runs: How many orders to try.
    ///   - seed: Decides which random ones.
    ///   - body: The code to run. It has to throw if something is wrong: see ``check(_:_:file:line:)``. It is run with all callbacks
    ///     and timers that it leaves, and must create everything anew that it changes.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Returns: How many orders were tried, and whether these are all.
    /// - Throws: ``Failure``, which tells how to replay the run.
    /// - Precondition: `runs` is positive, and the calling thread runs no other simulation.
    @discardableResult
    public static func explore(
        runs: Int = 1000, seed: UInt64 = 0, file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Void
    ) throws -> Exploration {
        guard runs > 0 else {
            fatalError(
                "explore(runs: \(runs)) would try nothing. Pass a positive number.", file: file, line: line)
        }
        var explorer = Explorer(seed: seed, runs: runs)
        while explorer.runCount < runs, let strategy = explorer.next() {
            let world = world(strategy, seed, 1_000_000)
            do { try run(in: world, file, line, body) } catch {
                throw failure(of: world, error, explorer.runCount, seed) { try run(in: $0, file, line, body) }
            }
            explorer.note(world.chooser)
        }
        return Exploration(runCount: explorer.runCount, isExhaustive: explorer.isExhaustive)
    }

    /// Runs `task` many times as a task of a simulation, each time in another order, until it throws.
    ///
    /// - Parameters:
    ///   - runs: How many orders to try.
    ///   - seed: Decides which random ones.
    ///   - task: The code to run. It has to throw if something is wrong, and must create everything anew that it changes.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Returns: How many orders were tried, and whether these are all.
    /// - Throws: ``Failure``, which tells how to replay the run.
    /// - Precondition: `runs` is positive, and the calling thread runs no other simulation.
    @discardableResult
    public static func explore(
        runs: Int = 1000, seed: UInt64 = 0, file: StaticString = #fileID, line: UInt = #line,
        task: @escaping @Sendable () async throws -> Void
    ) throws -> Exploration {
        try explore(runs: runs, seed: seed, file: file, line: line) { try wait(for: task) }
    }

    /// Makes the order shorter in which a run has failed.
    private static func failure(
        of world: SimulatedWorld, _ error: any Error, _ runCount: Int, _ seed: UInt64,
        _ run: (SimulatedWorld) throws -> Void
    ) -> Failure {
        var (last, lastError) = (world, error)
        let schedule = Schedule(world.chooser.choices.map(\.index)).shrunk(limit: 300) { schedule in
            let world = Self.world(.replay(schedule.choices), seed, 1_000_000)
            do { try run(world) } catch {
                (last, lastError) = (world, error)
                return true
            }
            return false
        }
        return Failure(
            error: lastError, schedule: schedule.text, seed: seed, runCount: runCount, steps: last.history)
    }
}

/// Which orders an exploration tries.
private struct Explorer {
    private(set) var runCount = 0
    private let seed: UInt64
    private let runs: Int
    /// The choices of the next run, one by one; nil behind the last one.
    private var planned: [Int]? = []
    private var isPlanned = false
    /// Whether all orders have been tried.
    var isExhaustive: Bool { planned == nil }
    /// The number of choices of the longest run.
    private var length = 0

    init(seed: UInt64, runs: Int) {
        self.seed = seed
        self.runs = runs
    }

    /// Returns how the next run chooses. Returns nil if all orders have been tried.
    mutating func next() -> Chooser.Strategy? {
        guard let planned else { return nil }
        runCount += 1
        isPlanned = runCount <= max(runs / 2, 1)
        if isPlanned { return .replay(planned) }
        let generator = SplitMix64(seed: seed &+ UInt64(runCount))
        return runCount.isMultiple(of: 2)
            ? .random(generator) : .priorities(Priorities(generator, changeCount: 2, length: length))
    }

    /// Notes the choices of the run.
    mutating func note(_ chooser: Chooser) {
        length = max(length, chooser.choices.count)
        guard isPlanned else { return }
        planned = chooser.next
    }
}
