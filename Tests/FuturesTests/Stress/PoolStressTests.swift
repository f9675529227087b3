// Pools under threads: a resource serves one operation at a time, none is lost, and each is closed once.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct PoolPrograms {
        @Test func `under random failures and cancels, a resource of a pool has one user, and is closed once`() async {
            await runPrograms(rounds / 2) { PoolRun(&$0) }
        }

        @Test func `a resource of an asynchronous closure that returns as it is cancelled is used or closed`() async {
            var random = SplitMix(.random(in: 0...(.max / 2)))
            for _ in 0..<10 * rounds {
                let (alive, mixed, user) = (AtomicCounter(), AtomicCounter(), Shared<Future<Void>?>(nil))
                let pause = Int.random(in: 0..<2000, using: &random)
                let pool = ResourcePool(maxCount: 1) { () async throws in
                    if alive.up() > 1 { mixed.up() }
                    Scheduler.background.async { user.value?.cancel() }
                    for _ in 0..<pause {}
                } close: { _ in
                    alive.down()
                }
                user.value = pool.run { _ in }
                let next = pool.on(.immediate).run { _ in Task.isCancelled }
                #expect(await next.arrival().success == false)
                _ = await pool.close().arrival()
                #expect(alive.value == 0 && mixed.value == 0)
            }
        }
    }
}

private final class PoolRun: ThreadProgram {
    let witness = Witness()
    private let workshop: Workshop
    private let pool: Shared<ResourcePool<Workshop.Tool>?>
    /// Counts what the pool retains.
    private let poolCensus = Census()
    private let pending = Pending()
    /// Whether a thread closes the pool, or releases it, in the middle of the program.
    private let isClosed: Bool
    private let isLeft: Bool

    init(_ random: inout SplitMix) {
        let limit = Int.random(in: 1...3, using: &random)
        let scheduler = random.pick([Scheduler.immediate, Scheduler(label: "serial"), .background])
        let idleTimeout = random.pick([nil, Duration.microseconds(20), .microseconds(300)])
        let (least, uses) = (Int.random(in: 0...limit, using: &random), random.pick([Int.max, 2]))
        (isClosed, isLeft) = (random.oneIn(4), random.oneIn(4))
        let (workshop, object) = (Workshop(witness, limit: limit, seed: random.next()), poolCensus.make())
        let check: @Sendable (Workshop.Tool) throws -> Future<Bool> = { try workshop.check($0) }
        self.workshop = workshop
        pool = Shared(
            ResourcePool(
                maxCount: limit, minIdleCount: least, idleTimeout: idleTimeout, maxUseCount: uses, on: scheduler,
                create: { try object.pass(workshop).create() }, check: random.oneIn(2) ? check : nil,
                close: { try workshop.close($0) }))
    }

    func run(thread: Int, _ random: inout SplitMix) {
        let last = Int.random(in: 0..<10, using: &random)
        for step in 0..<10 {
            // Another thread may release the pool now; then this is its last reference.
            guard let pool = pool.value else { return }
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1: pending.cancelOne(&random)
            case 2: witness.openGates()
            case 3: pool.discard { _ in random.oneIn(2) }
            default: use(pool, &random)
            }
            guard step == last else { continue }
            if isClosed, thread == 0 {
                let closing = close(pool)
                if random.oneIn(2) { closing.cancel() }
                let late = pool.on(.immediate).enqueue { _ in Future(1) }
                if late.error as? QueueError != .closed { witness.complain("a closed one accepts") }
            }
            if isLeft, thread == 1 { _ = self.pool.change { $0.take() } }
        }
    }

    private func use(_ pool: ResourcePool<Workshop.Tool>, _ random: inout SplitMix) {
        let (workshop, object) = (workshop, witness.census.make())
        let options = TurnOptions.waitTimeout(random.limit())
        let scheduler = random.pick([Scheduler.immediate, .immediate, .background])
        var future =
            random.oneIn(4)
            ? pool.run(with: options) { tool async throws in try await object.pass(workshop).task(with: tool) }
            : pool.on(scheduler).enqueue(with: options) { tool in try object.pass(workshop).work(with: tool) }
        if random.oneIn(4) {
            future = future.onErrorRepeat(on: .immediate, maxRepetitions: 2) { !($0 is CancellationError) }
        }
        if random.oneIn(4) { future.cancel() }
        pending.add(future)
    }

    private func close(_ pool: ResourcePool<Workshop.Tool>) -> Future<Void> {
        pool.close().onValue(on: .immediate) { [workshop] in
            if !workshop.areAllClosed { workshop.witness.complain("closed before all are") }
        }
    }

    func finish() async {
        await witness.expect("an operation is lost") { self.pending.isEmptied() }
        if let pool = pool.change({ $0.take() }) {
            // A closed pool continues to close by itself, even if the call's future was cancelled.
            let closing = isClosed ? nil : close(pool)
            await witness.expect("the closing does not end") { closing?.isCompleted ?? self.workshop.areAllClosed }
            await witness.expect("it is closed, but not empty") { pool.isEmpty && pool.idleCount == 0 }
        }
        // The pool may be about to create a resource for a cancelled operation, but not once it is deallocated.
        await witness.expect("the pool is kept") { self.poolCensus.alive == 0 }
        await witness.expect("one is not closed") { self.workshop.areAllClosed }
        workshop.checkTools()
    }
}
