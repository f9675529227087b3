// Queues: order, concurrency, priority and repetition of operations. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueTests {
    private let queue = FutureQueue(), gate = Promise<Int>(), runs = Shared(0), log = Log<String>()

    @Test func `operations get their turns in the order in which they were enqueued`() {
        let gates = (0..<4).map { _ in Promise<Int>() }
        let futures = gates.enumerated().map { index, gate in
            queue.on(.immediate).enqueue { [log] in log.add("\(index)", returning: gate.future) }
        }
        // Completing the future of an operation that has not started changes nothing.
        gates[2].succeed(2)
        #expect(log.entries == ["0"])
        gates[0].succeed(0)
        #expect(log.entries == ["0", "1"])
        gates[1].fail(Oops())
        #expect(log.entries == ["0", "1", "2", "3"])
        gates[3].succeed(3)
        #expect(futures.map(\.success) == [0, nil, 2, 3])
        #expect(queue.isEmpty)
    }

    @Test(arguments: 1...4) func `at most maxConcurrentCount operations run concurrently`(limit: Int) {
        let (queue, gates) = (FutureQueue(maxConcurrentCount: limit), (0..<8).map { _ in Promise<Int>() })
        for gate in gates { queue.on(.immediate).enqueue { gate.future } }
        for (index, gate) in gates.enumerated() {
            #expect(queue.runningCount == min(limit, 8 - index))
            gate.succeed(1)
        }
    }

    @Test func `operations that get turns in a callback of their scheduler run concurrently`() async throws {
        let (queue, signals) = (FutureQueue(maxConcurrentCount: 3, executeOn: .background), [Signal(), Signal()])
        queue.isPaused = true
        // Each waits for the other one.
        let meetings = [0, 1].map { number in
            queue.enqueue { () -> Future<Bool> in
                signals[1 - number].send()
                return Future(signals[number].comes())
            }
        }
        Scheduler.background.async { queue.isPaused = false }
        #expect(try await join(meetings).value == [true, true])
    }

    @Test func `listeners of a finished operation are called before the next operation starts`() {
        let first = queue.on(.immediate).enqueue { [gate] in gate.future }
        _ = queue.on(.immediate).run { [log] in log.add("next starts") }
        first.onValue(on: .immediate) { [log] _ in log.add("heard") }
            .map(on: .immediate) { $0 }
            .onValue(on: .immediate) { [log] _ in log.add("heard further down") }
        gate.succeed(1)
        #expect(log.entries == ["heard", "heard further down", "next starts"])
    }

    @Test func `an operation that throws fails its future, and the next one starts`() {
        let failed = queue.on(.immediate).enqueue { () -> Future<Int> in throw Oops(1) }
        let thrown = queue.on(.immediate).run { () -> Int in throw Oops(2) }
        #expect([failed, thrown].map { $0.error as? Oops } == [Oops(1), Oops(2)])
        #expect(queue.on(.immediate).run { 2 }.success == 2)
    }

    @Test func `a repeated future enqueues its operation again, behind the waiting operations`() {
        queue.on(.immediate).enqueue { [gate] in gate.future }
        let repeated = queue.on(.immediate).run { [log, runs] in
            log.add("run \(runs.increment())")
            if runs.value < 2 { throw Oops() }
        }.onErrorRepeat(on: .immediate) { _ in true }
        _ = queue.on(.immediate).run { [log] in log.add("other") }
        gate.succeed(1)
        #expect(log.entries == ["run 1", "other", "run 2"])
        #expect(repeated.success != nil)
    }

    @Test func `a queue can set the scheduler of its operations`() {
        let time = VirtualTime()
        let (queue, place) = (FutureQueue(executeOn: time.scheduler), Shared<Scheduler?>(nil))
        _ = queue.run { place.value = .current }
        #expect(place.value == nil)
        time.run()
        #expect(place.value == time.scheduler)
        queue.enqueueBatch { batch in
            place.value = nil
            return batch.run { place.value = .current }
        }
        time.run()
        #expect(place.value == time.scheduler)
        #expect(queue.on(.immediate).run { 5 }.success == 5)
    }

    @Test func `operations of low priority get at least every eighth start`() {
        let log = Log<QueuePriority>()
        queue.on(.immediate).enqueue { [gate] in gate.future }
        for priority in [QueuePriority.low, .normal, .low, .normal] {
            _ = queue.on(.immediate).run(with: .priority(priority)) { log.add(priority) }
        }
        // Each urgent operation enqueues the next one.
        @Sendable func urgent(_ left: Int) {
            _ = queue.on(.immediate).run(with: .priority(.high)) {
                log.add(.high)
                if left > 1 { urgent(left - 1) }
            }
        }
        urgent(50)
        gate.succeed(1)
        #expect(log.count == 54)
        for priority in [QueuePriority.low, .normal] {
            let turns = log.entries.indices.filter { log.entries[$0] == priority }
            #expect(zip([-1] + turns, turns).allSatisfy { $1 - $0 <= 8 }, "\(priority): \(turns)")
        }
    }

    @Test func `drained completes after the listeners of the last operation have been called`() {
        #expect(queue.drained().isCompleted)
        let last = queue.on(.immediate).enqueue { [gate] in gate.future }
        let (drained, cancelled) = (queue.drained(), queue.drained())
        drained.onValue(on: .immediate) { [log, queue] in log.add("drained \(queue.isEmpty)") }
        last.onValue(on: .immediate) { [log] _ in log.add("heard") }
        cancelled.cancel()
        #expect(log.entries == [])
        gate.succeed(1)
        #expect(log.entries == ["heard", "drained true"])
        // It can be repeated.
        #expect(drained.repeatAndCollect(on: .immediate, maxRepetitions: 1).success?.count == 2)
    }
}
