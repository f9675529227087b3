// Queues: order, concurrency and repetition of operations. Contract/Queues.md

import Dispatch
import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueTests {
    @Test func `operations start in the order in which they were enqueued`() {
        let queue = FutureQueue()
        let started = Log<Int>()
        let gates = (0..<5).map { _ in Promise<Int>() }
        let futures = gates.enumerated().map { index, gate in
            queue.on(.immediate).enqueue {
                started.add(index)
                return gate.future
            }
        }
        #expect(started.entries == [0])
        // Completing the future of an operation that has not started changes nothing.
        gates[2].succeed(2)
        #expect(started.entries == [0])
        gates[0].succeed(0)
        #expect(started.entries == [0, 1])
        gates[1].fail(Oops())
        #expect(started.entries == [0, 1, 2, 3])
        gates[3].succeed(3)
        gates[4].succeed(4)
        #expect(started.entries == [0, 1, 2, 3, 4])
        #expect(futures.map(\.success) == [0, nil, 2, 3, 4])
        #expect(queue.isEmpty)
    }

    @Test(arguments: 1...4) func `at most maxConcurrentCount operations run concurrently`(limit: Int) throws {
        let queue = FutureQueue(maxConcurrentCount: limit)
        let running = Shared((now: 0, most: 0))
        let work = Scheduler(label: "work", attributes: .concurrent)
        let futures = (0..<200).map { index in
            queue.on(.immediate).enqueue {
                running.change {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                return Future<Int>(
                    on: work,
                    immediate: {
                        running.change { $0.now -= 1 }
                        if index.isMultiple(of: 3) { throw Oops() }
                        return index
                    })
            }
        }
        try join(futures.map { $0.recover(on: .immediate) { _ in -1 } }).map { _ in }.wait(timeout: testTimeout)
        // Whether the limit is reached depends on the available processors.
        #expect(running.value.most <= limit)
        #expect(running.value.now == 0)
    }

    @Test func `listeners of a finished operation are called before the next operation starts`() {
        let queue = FutureQueue()
        let log = Log<String>()
        let gate = Promise<Int>()
        let first = queue.on(.immediate).enqueue { gate.future }
        queue.on(.immediate).enqueue {
            log.add("next starts")
            return Future()
        }
        first.onValue(on: .immediate) { _ in log.add("heard") }
            .map(on: .immediate) { $0 }
            .onValue(on: .immediate) { _ in log.add("heard further down") }
        gate.succeed(1)
        #expect(log.entries == ["heard", "heard further down", "next starts"])
    }

    @Test func `an operation that throws fails its future, and the next one starts`() {
        let queue = FutureQueue()
        let failed = queue.on(.immediate).enqueue { () -> Future<Int> in throw Oops(1) }
        let next = queue.on(.immediate).enqueue { Future(2) }
        #expect(failed.error as? Oops == Oops(1))
        #expect(next.success == 2)
    }
}

extension FutureQueueTests {
    @Test func `an operation runs once for each run of its future`() {
        let queue = FutureQueue()
        let runs = Shared(0)
        let future = queue.on(.immediate).enqueue { Future(runs.increment()) }
        for _ in 0..<3 { future.onValue(on: .immediate) { _ in } }
        #expect(runs.value == 1)
        let repeated = future.flatMap(on: .immediate) { _ in Future<Int>(error: Oops()) }
            .onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
        #expect(repeated.error is Oops)
        #expect(runs.value == 3)
    }

    @Test func `a repeated future enqueues its operation again, behind the waiting operations`() {
        let queue = FutureQueue()
        let log = Log<String>()
        let gate = Promise<Int>()
        let runs = Shared(0)
        queue.on(.immediate).enqueue { gate.future }
        let repeated = queue.on(.immediate).enqueue { () -> Future<Int> in
            log.add("run \(runs.increment())")
            return runs.value < 2 ? Future(error: Oops()) : Future(runs.value)
        }.onErrorRepeat(on: .immediate) { _ in true }
        queue.on(.immediate).enqueue {
            log.add("other"); return Future()
        }
        gate.succeed(1)
        #expect(log.entries == ["run 1", "other", "run 2"])
        #expect(repeated.success == 2)
    }

    @Test func `waiting operations retain their queue`() {
        let gate = Promise<Int>()
        let queue = Shared<FutureQueue<Void>?>(FutureQueue())
        queue.value!.on(.immediate).enqueue { gate.future }
        let waiting = queue.value!.on(.immediate).enqueue { Future(2) }
        queue.value = nil
        gate.succeed(1)
        #expect(waiting.success == 2)
    }
}

extension FutureQueueTests {
    @Test func `a synchronous operation is complete when it returns`() {
        let queue = FutureQueue(resource: 3)
        let (gate, log) = (Promise<Int>(), Log<String>())
        queue.on(.immediate).enqueue { _ in gate.future }
        let first = queue.on(.immediate).run { resource in
            log.add("first")
            return "\(resource)"
        }
        let thrown = queue.on(.immediate).run { _ -> Int in throw Oops(1) }
        let second = queue.on(.immediate).run(with: .priority(.high).waitTimeout(.seconds(100))) { $0 + 1 }
        first.onValue(on: .immediate) { _ in log.add("heard") }
        let cancelled = queue.on(.immediate).run { _ in log.add("never") }
        cancelled.cancel()
        gate.succeed(1)
        #expect(first.success == "3")
        #expect(thrown.error as? Oops == Oops(1))
        #expect(second.success == 4)
        #expect(log.entries == ["first", "heard"])
        #expect(queue.isEmpty)
        let plain = FutureQueue()
        let runs = Shared(0)
        let repeated = plain.on(.immediate).run { () -> Int in
            if runs.increment() < 3 { throw Oops() }
            return runs.value
        }.onErrorRepeat(on: .immediate) { _ in true }
        #expect(repeated.success == 3)
    }

    @MainActor @Test func `operations of the main actor run there, whatever scheduler the queue has`() async {
        let queue = FutureQueue(resource: 3, executeOn: .background)
        var isMain = false
        let value = await queue.run { resource in
            isMain = Scheduler.current == .main
            return resource
        }.arrival()
        #expect(isMain)
        #expect(try! value.get() == 3)
    }

    @Test func `a queue can set the scheduler of its operations`() {
        let time = VirtualTime()
        let queue = FutureQueue(executeOn: time.scheduler)
        let place = Shared<Scheduler?>(nil)
        queue.enqueue {
            place.value = .current
            return Future(1)
        }
        #expect(place.value == nil)
        time.run()
        #expect(place.value == time.scheduler)
        queue.batch.enqueue { batch in
            place.value = nil
            return batch.run { place.value = .current }
        }
        time.run()
        #expect(place.value == time.scheduler)
        let elsewhere = queue.on(.immediate).run { 5 }
        #expect(elsewhere.success == 5)
    }
}
