// The turn of a cancelled operation, its tasks, its callbacks and its disposals. Contract/Turns.md

import Foundation
import Futures
import Testing

/// Enqueues an operation, and another one behind it, which logs "next".
enum TurnForm: CaseIterable {
    case queue, cleaned, key, batch, pool

    func enqueue(_ log: Log<String>, _ operation: @escaping @Sendable () -> Future<Int>) -> Future<Int> {
        let queue = FutureQueue()
        switch self {
        case .queue: return addNext(in: queue, log, queue.on(.immediate).enqueue { operation() })
        case .cleaned: return addNext(in: queue, log, queue.on(.immediate).enqueue(operation) { _, _ in Future() })
        case .key:
            let turns = KeyedFutureQueue<Int>()[1]
            return addNext(in: turns, log, turns.on(.immediate).enqueue { operation() })
        case .batch:
            let batch = queue.on(.immediate).enqueueBatch { $0.on(.immediate).enqueue { operation() } }
            return addNext(in: queue, log, batch)
        case .pool:
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
            return addNext(in: pool, log, pool.on(.immediate).enqueue { _ in operation() })
        }
    }

    private func addNext(in giver: some TurnGiver, _ log: Log<String>, _ future: Future<Int>) -> Future<Int> {
        _ = giver.on(.immediate).run { _ in log.add("next") }
        return future
    }
}

/// A future that another thread completes, which is then in its disposable until it is let go.
private struct Blocked: Sendable {
    let log: Log<String>
    private let completion = Shared<Future<Int>.Completion?>(nil)
    private let entered = Signal(), gate = Signal(), left = Signal()

    init(_ log: Log<String>) { self.log = log }

    func future() -> Future<Int> {
        Future(on: .immediate) { [self] in
            completion.value = $0
            return Disposer { [self] in
                entered.send()
                _ = gate.comes()
                log.add("has disposed")
            }
        }
    }

    /// Returns when the other thread, which completes the future or calls `body`, is in the disposable.
    func isDisposed(by body: (@Sendable () -> Void)? = nil) {
        Thread.detachNewThread {
            if let body { body() } else { completion.value?(.success(1)) }
            left.send()
        }
        #expect(entered.comes())
    }

    func goOn() {
        gate.send()
        #expect(left.comes())
    }
}

@Suite struct EndOfTurnTests {
    private let log = Log<String>()

    @Test(arguments: TurnForm.allCases)
    func `an operation that is cancelled while its future disposes keeps its turn until the disposal returns`(
        _ form: TurnForm
    ) async {
        let blocked = Blocked(log)
        let future = form.enqueue(log) { blocked.future().map(on: .immediate) { $0 } }
        blocked.isDisposed()
        #expect(future.cancel() && future.isCancelled)
        #expect(log.entries == [])
        blocked.goOn()
        // A pool's operation may still be in its closure; that thread then releases the turn.
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has disposed", "next"])
    }

    @Test func `an operation whose future has other listeners releases its turn when it is cancelled`() {
        let blocked = Blocked(log)
        let future = TurnForm.queue.enqueue(log) { [log] in
            let future = blocked.future()
            future.onResult(on: .immediate) { _ in log.add("other") }
            return future
        }
        blocked.isDisposed()
        #expect(future.cancel())
        #expect(log.entries == ["next"])
        blocked.goOn()
        #expect(log.entries == ["next", "has disposed", "other"])
    }

    @Test(arguments: TurnForm.allCases, [false, true])
    func `an operation keeps its turn until its Disposer(on:) has called its closure`(
        _ form: TurnForm, isCancelled: Bool
    ) async {
        let (elsewhere, gate) = (Scheduler(label: "elsewhere"), Signal())
        let completion = Shared<Future<Int>.Completion?>(nil)
        let future = form.enqueue(log) { [log] in
            Future<Int>(on: .immediate) {
                completion.value = $0
                return Disposer(on: elsewhere) { log.add("has disposed") }
            }.map(on: .immediate) { $0 }
        }
        elsewhere.async { _ = gate.comes() }
        if isCancelled { future.cancel() } else { completion.value!(.success(1)) }
        #expect(log.entries == [])
        gate.send()
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has disposed", "next"])
        #expect(await comesTrue { future.isCompleted })
    }

    @Test func `an operation keeps its turn until what its disposable has stopped in a sync has ended`() async {
        let (here, elsewhere, gate) = (Scheduler(label: "here"), Scheduler(label: "elsewhere"), Signal())
        let completion = Shared<Future<Int>.Completion?>(nil)
        let future = TurnForm.queue.enqueue(log) { [log] in
            Future<Int>(on: .immediate) {
                completion.value = $0
                let disposer = Disposer(on: elsewhere) { log.add("has disposed") }
                return Disposer { here.sync { disposer.dispose() } }
            }
        }
        elsewhere.async { _ = gate.comes() }
        completion.value!(.success(1))
        #expect(log.entries == [])
        gate.send()
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has disposed", "next"])
        #expect(await comesTrue { future.isCompleted })
    }

    private static let taskForms: [@Sendable (@escaping @Sendable () async -> Void) -> Future<Void>] = [
        { work in Future { await work() } },
        { work in Future { await work() }.map(on: .immediate) {} },
        { work in Future { @MainActor in await work() } },
        { work in Future(on: .background) { await work() } },
        { work in Future(awaiting: Task { await work() }) },
        { work in join([Future { await work() }, Future.never]).map(on: .immediate) { _ in } },
        { work in Deferred { await work() }.start() },
    ]

    @Test(arguments: 0..<taskForms.count)
    func `an operation that is cancelled keeps its turn until its tasks have ended`(_ form: Int) async {
        let (gate, begun, queue) = (Promise<Void>(), Promise<Void>(), FutureQueue())
        let future = queue.on(.immediate).enqueue { [log] in
            let work: @Sendable () async -> Void = {
                begun.succeed()
                _ = await gate.future.arrival()
                log.add("has ended")
            }
            return Self.taskForms[form](work)
        }
        _ = queue.on(.immediate).run { [log] in log.add("next") }
        _ = await begun.future.arrival()
        #expect(future.cancel() && future.isCancelled)
        #expect(log.entries == [])
        gate.succeed()
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has ended", "next"])
    }

    @Test func `an operation that is cancelled keeps its turn while a future that its task awaits disposes`() async {
        let (blocked, queue) = (Blocked(log), FutureQueue())
        let awaited = blocked.future().map(on: .immediate) { $0 }
        let future = queue.on(.immediate).enqueue { Future { try await awaited.value } }
        _ = queue.on(.immediate).run { [log] in log.add("next") }
        #expect(await comesTrue { awaited.isHeard })
        blocked.isDisposed { future.cancel() }
        #expect(log.entries == [])
        blocked.goOn()
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has disposed", "next"])
    }

    @Test(arguments: TurnForm.allCases, [false, true])
    func `an operation that is cancelled keeps its turn until the closure of a step that is running has returned`(
        _ form: TurnForm, isElsewhere: Bool
    ) async {
        let (entered, gate, source) = (Promise<Void>(), Signal(), Promise<Int>())
        let scheduler = isElsewhere ? Scheduler(label: "elsewhere") : .immediate
        let future = form.enqueue(log) { [log] in
            source.future.map(on: scheduler) { value in
                entered.succeed()
                _ = gate.comes()
                log.add("has returned")
                return value
            }
        }
        Thread.detachNewThread { source.succeed(1) }
        _ = try? await entered.future.value
        #expect(future.cancel())
        #expect(log.entries == [])
        gate.send()
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has returned", "next"])
    }

    @Test func `an operation whose closure cancels it and returns what that has stopped gives back its turn`() {
        let (gate, source, own) = (Promise<Int>(), Promise<Int>(), Shared<Future<Int>?>(nil))
        own.value = TurnForm.queue.enqueue(log) {
            let stopped = source.future.map(on: .immediate) { $0 }
            let step = gate.future.flatMap(on: .immediate) { _ in
                own.value?.cancel()
                return join([stopped, Future(1)]).map(on: .immediate) { $0[0] }
            }
            return join([stopped, step]).map(on: .immediate) { $0[0] }
        }
        gate.succeed(1)
        #expect(own.value?.isCancelled == true)
        #expect(log.entries == ["next"])
        own.value = nil
    }

    private static let callbackForms: [@Sendable (Future<Int>, @escaping @Sendable () -> Void) -> Future<Int>] = [
        { $0.onCancel(on: .immediate, $1) },
        { $0.map(on: .immediate) { $0 }.always(on: .immediate, $1) },
        { join([$0.onCancel(on: .immediate, $1)]).map(on: .immediate) { $0[0] } },
    ]

    @Test(arguments: 0..<callbackForms.count, [false, true])
    func `the callbacks of a cancelled operation are called before the next one starts`(_ form: Int, inCallback: Bool) {
        let (queue, log) = (FutureQueue(), log)
        let future = Self.callbackForms[form](queue.on(.immediate).enqueue { .never }) { log.add("callback") }
        _ = queue.on(.immediate).run { log.add("next") }
        call(inCallback: inCallback) { future.cancel() }
        #expect(log.entries == ["callback", "next"])
    }
}
