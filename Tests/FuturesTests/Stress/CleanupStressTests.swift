// Cleanups under threads: one for each operation that was called.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Cleanups {
        @Test func `each operation that was called has one cleanup before the next one starts, however it ended`() async
        {
            await runPrograms(rounds / 2) { CleanupRun(&$0) }
        }
    }
}

/// The operation that has the turn, the operations that were cleaned up, and the first fault.
private struct Ledger {
    /// The operation that was called, and whose cleanup has not completed.
    private var current: Int?
    private var isCleaning = false
    /// Operations whose cleanup received a value, and succeeded.
    private(set) var kept: Set<Int> = []
    private(set) var calledCount = 0
    private(set) var cleanedCount = 0
    private(set) var complaint: String?

    mutating func complain(_ text: String) { complaint = complaint ?? text }

    mutating func call(_ number: Int) {
        if let current { complain("operation \(number) was called before the cleanup of \(current) was complete") }
        current = number
        isCleaning = false
        calledCount += 1
    }

    mutating func startCleaning(_ number: Int) {
        if current != number { complain("the cleanup of \(number) started in the turn of \(current as Any)") }
        if isCleaning { complain("\(number) was cleaned up twice") }
        isCleaning = true
    }

    mutating func endCleaning(_ number: Int, keeping: Bool) {
        if current != number { complain("the cleanup of \(number) ended in the turn of \(current as Any)") }
        current = nil
        cleanedCount += 1
        if keeping { kept.insert(number) }
    }
}

/// A queue or a pool with one resource, the actions of four threads on it, and its faults.
private final class CleanupRun: ThreadProgram {
    private let ledger = Guarded(Ledger())
    private let census = Census()
    private let queue = FutureQueue(resource: 1)
    private let pool: ResourcePool<Int>?
    private let futures = Guarded<[(number: Int, future: Future<Int>)]>([])
    private let promises = Guarded<[Promise<Int>]>([])
    private let numbers = AtomicCounter()
    private let seed: UInt64

    init(_ random: inout SplitMix) {
        queue.onCleanupFailure { _ in }
        pool =
            Int.random(in: 0..<4, using: &random) == 0
            ? ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) } : nil
        pool?.onCleanupFailure { _ in }
        seed = random.next()
    }

    var complaint: String? { ledger.with { $0.complaint } }

    func run(thread: Int) {
        var random = SplitMix(seed &+ UInt64(thread))
        for _ in 0..<12 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1, 2: futures.with { $0.randomElement(using: &random) }?.future.cancel()
            case 3: if pool == nil { queue.cancelAll() }
            case 4, 5: complete()
            default: add(&random)
            }
        }
    }

    private func complete() {
        let all = promises.with { promises in
            let all = promises
            promises = []
            return all
        }
        for promise in all { promise.succeed(0) }
    }

    private func add(_ random: inout SplitMix) {
        let number = numbers.up()
        let object = census.make()
        let scheduler = [Scheduler.immediate, Scheduler(label: "serial"), .background].randomElement(using: &random)!
        let (end, late) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random))
        let limit = late == 0 ? Duration.microseconds(random.next() % 200) : nil
        let cleaning = Int.random(in: 0..<5, using: &random)
        let isHeard = Int.random(in: 0..<3, using: &random) == 0

        let form = Int.random(in: 0..<7, using: &random)
        // A task returns when it is cancelled, and so completes an operation in a batch that has no cleanup.
        let isWatched = form > (pool == nil ? 1 : 0)
        let returned = Guarded<Future<Int>?>(nil)
        let work: @Sendable () throws -> Future<Int> = { [self] in
            object.touch()
            ledger.with { $0.call(number) }
            switch end {
            case 0: throw Oops(number)
            case 1: return Future(number)
            case 2: return Future(number).delay(by: .microseconds(20), on: scheduler)
            default:
                let promise = Promise<Int>()
                promises.with { $0.append(promise) }
                let future = promise.future.map(on: .immediate) { _ in number }
                // A future with other listeners is not cancelled with the operation.
                if isHeard { future.onResult(on: .immediate) { _ in } }
                if isWatched { returned.with { $0 = future } }
                return future
            }
        }
        let cleanup: @Sendable (Result<Int, any Error>) throws -> Future<Void> = { [self] result in
            object.touch()
            ledger.with { $0.startCleaning(number) }
            if returned.with({ $0?.isCompleted }) == false {
                ledger.with { $0.complain("the cleanup of \(number) started before what it returned had completed") }
            }
            let isKept = if case .success = result { true } else { false }
            let done: @Sendable (Bool) -> Void = { [self] kept in
                ledger.with { $0.endCleaning(number, keeping: kept) }
            }
            switch cleaning {
            case 0:
                done(false)
                throw Oops(-number)
            case 1, 2: return Future().delay(by: .microseconds(20), on: scheduler).map(on: .immediate) { done(isKept) }
            default: return Future(done(isKept))
            }
        }
        let asyncWork: @Sendable () async throws -> Int = {
            await Task.yield()
            return try await work().shieldedFromCancellation().value
        }
        let asyncCleanup: @Sendable (Result<Int, any Error>) async throws -> Void = { try await cleanup($0).value }

        let future: Future<Int> =
            switch (pool, form) {
            case (let pool?, 0):
                pool.run { _ in
                    try await asyncWork()
                } finally: {
                    try await asyncCleanup($1)
                }
            case (let pool?, _):
                pool.on(scheduler).enqueue { _ in
                    try work()
                } finally: {
                    try cleanup($1)
                }
            case (nil, 0):
                queue.run(with: .runTimeout(limit)) { _ in
                    try await asyncWork()
                } finally: {
                    try await asyncCleanup($1)
                }
            case (nil, 1):
                queue.on(scheduler).batch().enqueue { batch in
                    let future = try work()
                    return batch.on(scheduler).enqueue { _ in future }
                } finally: {
                    try cleanup($1)
                }
            case (nil, 2):
                // The operation's value is a future: the operation keeps its turn until that future completes.
                queue.on(scheduler).enqueue(with: .runTimeout(limit)) { _ in
                    Future(try work())
                } finally: { _, result in
                    try cleanup(result.map { _ in number })
                }
                .flatMap(on: .immediate) { $0 }
            default:
                queue.on(scheduler).enqueue(with: .runTimeout(limit)) { _ in
                    try work()
                } finally: {
                    try cleanup($1)
                }
            }
        futures.with { $0.append((number, future)) }
    }

    func finish() async {
        if await !comesTrue(while: complete, { isOver }) { ledger.with { $0.complain("it hangs") } }
        check()
        if await !comesTrue({ census.alive == 0 }) {
            ledger.with { $0.complain("\(census.alive) operations are kept") }
        }
    }

    private var isOver: Bool {
        guard queue.isEmpty, (pool?.runningCount ?? 0) == 0 else { return false }
        return futures.with { $0 }.allSatisfy { $0.future.isCompleted }
    }

    private func check() {
        let all = futures.with { futures in
            let all = futures
            futures = []
            return all
        }
        ledger.with { ledger in
            for (number, future) in all where future.success != nil && !ledger.kept.contains(number) {
                ledger.complain("operation \(number) succeeded, and its cleanup did not")
            }
            if ledger.calledCount != ledger.cleanedCount {
                ledger.complain("\(ledger.calledCount) called, \(ledger.cleanedCount) cleaned up")
            }
        }
    }
}
