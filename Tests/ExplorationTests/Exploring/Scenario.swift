// Scenario: what a few threads do with futures, and what may come of it.

import Explorer
import Foundation
import Futures
import Synchronization
import Testing

/// Threads that share futures, created anew for each schedule.
struct Scenario: Sendable {
    struct Run {
        /// At most four. What they capture is released by them.
        let threads: [@Sendable () -> Void]
        /// Called when all have ended. Returns what is wrong.
        let check: () -> String?
    }

    let name: String
    let threadCount: Int
    let workerCount: Int
    /// How many schedules are tried, if more than usual.
    let limit: Int
    let make: @Sendable () -> Run

    /// `workerCount`: how many threads more run the blocks that are submitted to dispatch queues.
    init(
        _ name: String, threads threadCount: Int = 2, workers workerCount: Int = 0, limit: Int = 0,
        _ make: @escaping @Sendable () -> Run
    ) {
        self.name = name
        self.threadCount = threadCount
        self.workerCount = workerCount
        self.limit = limit
        self.make = make
    }
}

/// `FUTURES_SCENARIO`: the only scenarios to explore, by a part of their names.
enum Only {
    private static let part = ProcessInfo.processInfo.environment["FUTURES_SCENARIO"]
    static func allows(_ name: String) -> Bool { part.map { $0.isEmpty || name.contains($0) } ?? true }
}

/// What became of an exploration.
struct Exploration: CustomStringConvertible {
    /// All orders with up to this number of preemptions were tried.
    var preemptions = -1
    var scheduleCount = 0
    /// How many schedules more there were in which loads return older values.
    var olderCount = 0
    var divergenceCount = 0
    var failure: String?

    var description: String {
        let divergences = divergenceCount == 0 ? "" : ", \(divergenceCount) diverged"
        return failure
            ?? "\(scheduleCount) schedules\(divergences), all with \(preemptions) preemptions; \(olderCount) with older values"
    }
}

extension Scenario {
    /// Runs the scenario in every order without a preemption, then with at most one, and so on up to `preemptions`,
    /// until `limit` schedules have run. Orders with one preemption are always complete. A preemption is a switch away
    /// from a thread that could continue.
    ///
    /// Most faults need two (Musuvathi and Qadeer 2007). Then it does the same with older values, up to two
    /// preemptions.
    func explore(preemptions: Int, limit: Int) -> Exploration {
        warmUp()
        var result = Exploration()
        for bound in 0...preemptions where result.failure == nil && result.preemptions == bound - 1 {
            explore(exactly: bound, limit, &result)
        }
        guard result.failure == nil, preemptions > 0 else { return result }
        var older = Exploration()
        for bound in 1...min(preemptions, 2) where older.failure == nil {
            explore(exactly: bound, seeingOlderValues: true, limit / 4, &older)
        }
        result.olderCount = older.scheduleCount
        result.divergenceCount += older.divergenceCount
        result.failure = older.failure
        return result
    }

    /// Runs the scenario twice, so that what is created only once is created before the exploration.
    private func warmUp() {
        let baton = Baton(threads: threadCount + workerCount, preemptionBound: 0)
        explorer = baton
        defer {
            explorer = nil
            baton.end()
        }
        for _ in 0..<2 {
            var schedule = Schedule()
            _ = run(&schedule, on: baton, isTracing: false)
        }
    }

    private func explore(
        exactly preemptions: Int, seeingOlderValues: Bool = false, _ limit: Int, _ result: inout Exploration
    ) {
        let baton = Baton(
            threads: threadCount + workerCount, preemptionBound: preemptions, seesOlderValues: seeingOlderValues)
        explorer = baton
        defer {
            explorer = nil
            baton.end()
        }
        var schedule = Schedule()
        defer { result.divergenceCount += schedule.divergenceCount }
        repeat {
            // With one preemption, the orders are so few that all of them are tried.
            guard result.scheduleCount < limit || preemptions < 2 else { return }
            result.scheduleCount += 1
            guard let failure = run(&schedule, on: baton, isTracing: false) else { continue }
            var again = Schedule(schedule.taken)
            let traced = run(&again, on: baton, isTracing: true)
            result.failure = """
                \(name): \(failure)
                Schedule \(result.scheduleCount), with \(preemptions) preemptions: \(schedule.text)
                \(traced ?? "It does not fail again.")
                """
            return
        } while schedule.advance()
        result.preemptions = preemptions
    }

    private func run(_ schedule: inout Schedule, on baton: Baton, isTracing: Bool) -> String? {
        let (values, nodes) = (Tracked.count, exploredNodes.load(ordering: .relaxed))
        var keptValues: Int { Tracked.count - values }
        var keptNodes: Int { exploredNodes.load(ordering: .relaxed) - nodes }
        // In a function, so that everything is released.
        func runOnce() -> String? {
            let run = make()
            let failure = baton.run(run.threads, workerCount: workerCount, by: &schedule, isTracing: isTracing)
            baton.runBlocks()
            return failure ?? run.check().map { $0 + baton.text }
        }
        if let failure = runOnce() { return failure }
        if let failure = baton.failure { return failure }
        if keptValues != 0 { return "\(keptValues) values are kept." + baton.text }
        return keptNodes == 0 ? nil : "\(keptNodes) nodes are kept." + baton.text
    }
}

/// A value that is counted while it exists. Larger than two words, so that it lies in a box.
struct Tracked: Sendable, Equatable {
    private final class Token: Sendable {
        init() { Tracked.counter.add(1, ordering: .relaxed) }
        deinit { Tracked.counter.subtract(1, ordering: .relaxed) }
    }

    private static let counter = Synchronization.Atomic<Int>(0)
    static var count: Int { counter.load(ordering: .relaxed) }

    let number: Int
    private let token = Token()
    private let filling = (0, 0)

    init(_ number: Int) { self.number = number }

    static func == (a: Tracked, b: Tracked) -> Bool { a.number == b.number }
}

/// What the threads of a scenario note. They run one at a time, but the compiler does not know that.
final class Notes: Sendable {
    private let list = Mutex<[String]>([])
    func add(_ text: String) { list.withLock { $0.append(text) } }
    var all: [String] { list.withLock { $0 } }

    /// How often something was noted, as a text.
    func count(of text: String) -> String { "\(text): \(all.count { $0 == text })" }
}

/// A value that one thread of a scenario takes out and releases.
final class Kept<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>
    init(_ value: Value) { self.value = Mutex(value) }
    func take() -> Value {
        value.withLock { value in
            defer { value = nil }
            return value!
        }
    }
}
