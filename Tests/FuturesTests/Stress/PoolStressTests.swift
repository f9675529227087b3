// Pools under threads: a resource serves one operation at a time, none is lost, and each is closed once.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct PoolPrograms {
        @Test func `under random failures and cancels, a pool hands each resource to one operation and closes it once`()
            async
        {
            await runPrograms(rounds / 2) { PoolRun(&$0) }
        }
    }
}

/// A pool, the actions of four threads on it, and its first fault.
private final class PoolRun: ThreadProgram {
    private let workshop: Workshop
    private let description: String
    private let pool: Guarded<ResourcePool<Workshop.Tool>?>
    /// Counts what the pool retains.
    private let poolCensus = Census()
    private let futures = Guarded<[Future<Int>]>([])
    private let seed: UInt64
    /// Whether a thread closes the pool, or releases it, in the middle of the program.
    private let isClosed: Bool
    private let isLeft: Bool

    init(_ random: inout SplitMix) {
        let limit = Int.random(in: 1...3, using: &random)
        let scheduler = [Scheduler.immediate, Scheduler(label: "serial"), .background].randomElement(using: &random)!
        let idleTimeout = [nil, Duration.microseconds(20), .microseconds(300)].randomElement(using: &random)!
        let isChecked = Bool.random(using: &random)
        isClosed = Int.random(in: 0..<4, using: &random) == 0
        isLeft = Int.random(in: 0..<4, using: &random) == 0
        seed = random.next()
        description = "\(limit) on \(scheduler), for \(idleTimeout as Any), \(isChecked), \(isClosed), \(isLeft)"
        let workshop = Workshop(limit: limit, seed: random.next())
        let object = poolCensus.make()
        let check: @Sendable (Workshop.Tool) throws -> Future<Bool> = { try workshop.check($0) }
        self.workshop = workshop
        pool = Guarded(
            ResourcePool(
                maxCount: limit, idleTimeout: idleTimeout, on: scheduler,
                create: { try object.pass(workshop).create() }, check: isChecked ? check : nil,
                close: { try workshop.close($0) }))
    }

    var complaint: String? { workshop.complaint.map { "\($0): \(description)" } }

    func run(thread: Int) {
        var random = SplitMix(seed &+ UInt64(thread))
        let last = Int.random(in: 0..<10, using: &random)
        for step in 0..<10 {
            // Another thread may release the pool now; then this is its last reference.
            guard let pool = pool.with({ $0 }) else { return }
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: futures.with { $0.randomElement(using: &random) }?.cancel()
            case 2: workshop.openGates()
            default: use(pool, &random)
            }
            guard step == last else { continue }
            if isClosed, thread == 0 {
                let closing = close(pool)
                if Bool.random(using: &random) { closing.cancel() }
                let late = pool.on(.immediate).enqueue { _ in Future(1) }
                if late.error as? QueueError != .closed { workshop.complain("a closed one accepts") }
            }
            if isLeft, thread == 1 { _ = self.pool.with { $0.take() } }
        }
    }

    private func use(_ pool: ResourcePool<Workshop.Tool>, _ random: inout SplitMix) {
        let (workshop, object) = (workshop, workshop.census.make())
        let waitTimeout = Int.random(in: 0..<4, using: &random) == 0 ? Duration.microseconds(random.next() % 200) : nil
        let scheduler = [Scheduler.immediate, .immediate, .background].randomElement(using: &random)!
        var future =
            if Int.random(in: 0..<4, using: &random) == 0 {
                pool.run(with: .waitTimeout(waitTimeout)) { tool async throws in
                    try await object.pass(workshop).task(with: tool)
                }
            } else {
                pool.on(scheduler).enqueue(with: .waitTimeout(waitTimeout)) { tool in
                    try object.pass(workshop).work(with: tool)
                }
            }
        if Int.random(in: 0..<4, using: &random) == 0 {
            future = future.onErrorRepeat(on: .immediate, maxRepetitions: 2) { !($0 is CancellationError) }
        }
        let isCancelled = Int.random(in: 0..<4, using: &random) == 0
        if isCancelled { future.cancel() }
        futures.with { [future] in $0.append(future) }
    }

    private func close(_ pool: ResourcePool<Workshop.Tool>) -> Future<Void> {
        pool.close().onValue(on: .immediate) { [workshop] in
            if workshop.aliveCount != 0 { workshop.complain("closed before all are") }
        }
    }

    func finish() async {
        await expect("an operation is lost") { self.futures.with { $0.allSatisfy { $0.isCompleted } } }
        if let pool = pool.with({ $0.take() }) {
            // A closed pool continues to close by itself, even if the call's future was cancelled.
            if isClosed {
                await expect("a closed one does not close all") { self.workshop.aliveCount == 0 }
            } else {
                let closing = close(pool)
                await expect("the closing does not end") { closing.isCompleted }
            }
            await expect("it is closed, but not empty") {
                pool.runningCount == 0 && pool.waitingCount == 0 && pool.idleCount == 0
            }
        }
        futures.with { $0 = [] }
        // The pool may be about to create a resource for a cancelled operation, but not once it is deallocated.
        await expect("the pool is kept") { self.poolCensus.alive == 0 }
        await expect("one is not closed") { self.workshop.aliveCount == 0 }
        workshop.expectAllClosed()
        workshop.forgetAll()
        await expect("something is kept") { self.workshop.census.alive == 0 }
    }

    private func expect(_ complaint: String, _ condition: () -> Bool) async {
        if await !comesTrue(while: workshop.openGates, condition) { workshop.complain(complaint) }
    }
}
