// DisposalProgram: operations whose futures are disposed by one thread and cancelled by another one.

import Foundation
import Futures
import Testing

extension Attacks {
    @Suite struct Disposals {
        @Test func `no operation and no cleanup starts while the disposable of the previous operation is disposed`() {
            Attacks.run(isDebug ? 1000 : 10_000) { random in DisposalProgram(&random).complaint() }
        }
    }
}

/// Some operations of a serial queue. Each uses a resource from its start until its disposable has returned. One thread
/// completes what they wait for, another one cancels them. No other operation and no cleanup may start meanwhile.
struct DisposalProgram: Sendable {
    enum Operator: CaseIterable {
        case map, flatMap, always, timeout, join, joinOfThree, settle, select, firstSuccess
        case performWhile, performWhileElsewhere, withoutHistory, abort, hedged, another, retry, mapToFuture,
            singleFlight, anotherQueue, disposable
        case repeated, queueElsewhere, cleanupElsewhere, poolElsewhere, ownPool
        case closure, closureElsewhere, loser, loserElsewhere, losingTask, failingJoin
    }

    private struct Operation {
        let operators: [Operator]
        let hasCleanup: Bool
        let yields: Int
        let isCancelled: Bool
    }

    private let operations: [Operation]
    private let yields: [Int]

    init(_ random: inout SplitMix) {
        operations = (0..<4).map { _ in
            Operation(
                operators: Self.operators(&random),
                hasCleanup: random.oneIn(2),
                yields: Int.random(in: 0...20, using: &random), isCancelled: !random.oneIn(4))
        }
        yields = (0..<4).map { _ in Int.random(in: 0...30, using: &random) }
    }

    private static func operators(_ random: inout SplitMix) -> [Operator] {
        var operators: [Operator] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let next = random.pick(Operator.allCases)
            // A turn does not wait for what is left of a future whose result is passed on by hand or shared.
            if [.disposable, .singleFlight].contains(next), operators.contains(where: losing.contains) { continue }
            operators.append(next)
        }
        return operators
    }

    private static let losing: [Operator] = [
        .loser, .loserElsewhere, .losingTask, .failingJoin, .performWhileElsewhere,
    ]

    func complaint() -> String? {
        let run = DisposalRun()
        var futures: [(future: Future<Int>, isCancelled: Bool)] = []
        for operation in operations { futures.append((enqueue(operation, run), operation.isCancelled)) }
        let (cancelled, isOver) = (futures, Shared(false))
        futures = []
        race(2) { thread in
            if thread == 0 {
                // Until the other thread has cancelled all, and the queue has become empty.
                while !isOver.value || !run.queue.isEmpty || !run.completions.value.isEmpty {
                    for completion in run.completions.takeAll() { completion(.success(1)) }
                    sched_yield()
                }
            } else {
                for (index, operation) in cancelled.enumerated() {
                    pause(yields[index])
                    if operation.isCancelled { operation.future.cancel() }
                }
                isOver.value = true
            }
        }
        return run.fault.value.map { "\($0): \(self)" }
    }

    private func enqueue(_ operation: Operation, _ run: DisposalRun) -> Future<Int> {
        let start: @Sendable () -> Future<Int> = {
            run.checks("an operation starts")
            var make: @Sendable () -> Future<Int> = { run.source(yields: operation.yields) }
            for next in operation.operators { make = { [make] in run.apply(next, to: make) } }
            return make()
        }
        guard operation.hasCleanup else { return run.queue.on(.immediate).enqueue { start() } }
        return run.queue.on(.immediate).enqueue {
            start()
        } finally: { _, _ in
            Future(run.checks("a cleanup starts"))
        }
    }
}

private struct Failed: Error {}

private func pause(_ count: Int) {
    for _ in 0..<count { sched_yield() }
}

private struct DisposalRun: Sendable {
    let queue = FutureQueue()
    let elsewhere = Scheduler(label: "elsewhere")
    /// Lives until the end: a repetition in a pool that is gone fails beside a source that is being disposed.
    let pool = ResourcePool(maxCount: 3, callTimeout: testTimeout) { Future(1) }
    let completions = Shared<[Future<Int>.Completion]>([])
    let users = Shared(0)
    let fault = Shared<String?>(nil)

    func checks(_ event: String) {
        if users.value > 0 { fault.value = "\(event) while a disposable is being disposed" }
    }

    /// A future that uses the resource until it has been disposed.
    func source(yields: Int) -> Future<Int> {
        Future(on: .immediate) { completion in
            users.increment()
            completions.change { $0.append(completion) }
            pause(yields)
            return Disposer {
                pause(yields)
                users.change { $0 -= 1 }
            }
        }
    }

    /// Work that uses the resource, and goes on until it has been disposed.
    private func work() -> Disposer {
        users.increment()
        pause(5)
        return Disposer {
            pause(5)
            users.change { $0 -= 1 }
        }
    }

    /// A closure that uses the resource until it returns.
    private func uses(_ value: Int) -> Int {
        users.increment()
        pause(5)
        users.change { $0 -= 1 }
        return value
    }

    /// Two futures as one: the other one is that of an operation of another queue, whose closure uses the resource.
    private func join(
        _ future: Future<Int>, _ enqueue: (@escaping @Sendable () -> Future<Int>) -> Future<Int>
    ) -> Future<Int> {
        let other = enqueue {
            users.increment()
            pause(5)
            users.change { $0 -= 1 }
            return source(yields: 2)
        }
        return Futures.join([future, other]).map(on: .immediate) { $0[0] }
    }

    func apply(_ operator: DisposalProgram.Operator, to make: @escaping @Sendable () -> Future<Int>) -> Future<Int> {
        // A closure that is cancelled before it is called must not leave a future that nothing cancels.
        switch `operator` {
        case .flatMap: return Future(1).flatMap(on: .immediate) { _ in make() }
        case .mapToFuture: return [1].mapToFuture(on: .immediate) { _ in make() }.map(on: .immediate) { $0[0] }
        case .singleFlight: return SingleFlight<Int, Int>().future(on: .immediate, for: 1, make)
        case .anotherQueue: return FutureQueue().on(.immediate).enqueue(make)
        default: return apply(`operator`, to: make())
        }
    }

    private func apply(_ operator: DisposalProgram.Operator, to future: Future<Int>) -> Future<Int> {
        switch `operator` {
        case .map: return future.map(on: .immediate) { $0 }
        case .flatMap, .mapToFuture, .singleFlight, .anotherQueue: fatalError()
        case .always: return future.always(on: .immediate) {}
        case .timeout: return future.timeout(after: .seconds(1000))
        case .join: return Futures.join([future, Future(1)]).map(on: .immediate) { $0[0] }
        case .joinOfThree: return Futures.join(future, Future(1), source(yields: 3)).map(on: .immediate) { $0.0 + $0.2 }
        case .settle: return Future.settle([Future(1), future]).map(on: .immediate) { try $0[1].get() }
        case .select: return select(between: [future, .never])
        case .firstSuccess: return Future.firstSuccess(of: [.never, future])
        case .performWhile: return future.performWhile(on: .immediate) { work() }
        case .performWhileElsewhere: return future.performWhile(on: elsewhere) { work() }
        case .withoutHistory: return future.withoutHistory()
        case .abort: return future.abort(forFutures: [Future<Void>.never])
        case .hedged: return future.hedged(after: .seconds(1000))
        case .another: return future.timeout(after: .seconds(1000)) { Future(1) }
        case .retry: return future.retry(RetryPolicy(.constant(.zero), timeLimit: .seconds(1000)), on: .immediate)
        case .queueElsewhere: return join(future) { FutureQueue().on(elsewhere).enqueue($0) }
        case .poolElsewhere: return join(future) { body in pool.on(.background).enqueue { _ in body() } }
        case .ownPool:
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout) { Future(1) }
            return join(future) { body in pool.on(.background).enqueue { _ in body() } }
                .always(on: .immediate) { withExtendedLifetime(pool) {} }
        case .cleanupElsewhere: return join(future) { FutureQueue().on(elsewhere).enqueue($0) { _, _ in Future() } }
        case .repeated:
            let isRepeated = Shared(false)
            return future.map(on: .immediate) { value in
                if isRepeated.value { return value }
                isRepeated.value = true
                throw Failed()
            }.onErrorRepeat(on: .immediate, maxRepetitions: 1)
        case .closure: return future.map(on: .immediate) { uses($0) }
        case .closureElsewhere: return future.map(on: elsewhere) { uses($0) }
        case .loser: return select(between: [future, source(yields: 2)])
        case .loserElsewhere: return select(between: [future, Future(2).map(on: elsewhere) { uses($0) }])
        case .losingTask:
            // Not on the concurrent pool, whose threads the tests may block.
            let task = Future<Int>(on: elsewhere) {
                users.increment()
                for _ in 0..<5 { await Task.yield() }
                users.change { $0 -= 1 }
                return 1
            }
            return Future.firstSuccess(of: [future, task])
        case .failingJoin:
            return Futures.join([source(yields: 2), future.map(on: .immediate) { _ in throw Failed() }])
                .mapResult(on: .immediate) { _ in 1 }
        case .disposable:
            return Future(on: .immediate) { completion in
                future.onResult(on: .immediate) { completion($0) }.disposable
            }
        }
    }
}
