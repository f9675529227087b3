// The turn of a cancelled operation, its tasks, its callbacks and its disposers. Contract/Turns.md

import Dispatch
import Futures
import Testing

@Suite struct EndOfTurnTests {
    private let log = Log<String>()

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
        let (gate, begun) = (Promise<Void>(), Promise<Void>())
        let queue = FutureQueue()
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
        let blocked = Blocked(log)
        let (queue, awaited) = (FutureQueue(), blocked.future().map(on: .immediate) { $0 })
        let future = queue.on(.immediate).enqueue { Future { try await awaited.value } }
        _ = queue.on(.immediate).run { [log] in log.add("next") }
        // Until the task listens.
        #expect(await comesTrue { awaited.isHeard })
        blocked.isDisposed { future.cancel() }
        #expect(log.entries == ["disposes"])
        blocked.goOn()
        #expect(await comesTrue { log.count == 3 })
        #expect(log.entries == ["disposes", "has disposed", "next"])
    }

    private static let callbackForms: [@Sendable (FutureQueue, @escaping @Sendable () -> Void) -> Future<Int>] = [
        { queue, callback in queue.on(.immediate).enqueue { Future.never.onCancel(on: .immediate, callback) } },
        { queue, callback in queue.on(.immediate).enqueue { Future.never }.onCancel(on: .immediate, callback) },
        { queue, callback in
            queue.on(.immediate).enqueue { stoppable {} }.map(on: .immediate) { $0 }
                .always(on: .immediate, callback)
        },
        { queue, callback in
            join([queue.on(.immediate).enqueue { Future<Int>.never }.onCancel(on: .immediate, callback)])
                .map(on: .immediate) { $0[0] }
        },
    ]

    @Test(arguments: 0..<callbackForms.count)
    func `the onCancel callbacks of a cancelled operation are called before the next operation starts`(_ form: Int) {
        for depth in [0] + nestings {
            let (log, queue) = (Log<String>(), FutureQueue())
            let future = Self.callbackForms[form](queue) { log.add("callback") }
            _ = queue.on(.immediate).run { log.add("next") }
            nest(depth) { future.cancel() }
            #expect(log.entries == ["callback", "next"], "\(depth) callbacks deep")
        }
    }

    @Test(arguments: 0..<disposingForms.count)
    func `an operation keeps its turn until its Disposer(on:) has called its closure`(_ form: Int) async {
        for isCancelled in [false, true] {
            let (log, elsewhere) = (Log<String>(), Scheduler(label: "elsewhere"))
            let (gate, made) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let completion = Shared<Future<Int>.Completion?>(nil)
            let future = disposingForms[form].enqueue(log, .immediate) {
                let future = Future<Int>(on: .immediate) {
                    completion.value = $0
                    return Disposer(on: elsewhere) { log.add("has disposed") }
                }.map(on: .immediate) { $0 }
                made.signal()
                return future
            }
            made.wait()
            elsewhere.async { gate.wait() }
            if isCancelled { #expect(future.cancel()) } else { completion.value!(.success(1)) }
            #expect(future.isCompleted == isCancelled)
            #expect(log.entries == [])
            gate.signal()
            #expect(await comesTrue { log.entries.contains("next") })
            #expect(log.entries.filter { $0 != "cleans up" } == ["has disposed", "next"])
            #expect(await comesTrue { future.isCompleted })
        }
    }
}
