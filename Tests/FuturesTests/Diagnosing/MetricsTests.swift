// Metrics: what is counted and measured for servers. Contract/Diagnosing.md

import FuturesTesting
import Testing

@testable import Futures
@testable import FuturesDiagnostics

@Suite struct MetricsTests {
    final class Sums: MetricsRecorder {
        struct Values {
            var counts: [Diagnostics.Metric: Int] = [:]
            var times: [String: [Duration]] = [:]
            var gauges: [String: Int] = [:]
        }

        let values = Shared(Values())

        func add(_ count: Int, to metric: Diagnostics.Metric) {
            values.change { $0.counts[metric, default: 0] += count }
        }

        func record(_ time: Duration, in metric: Diagnostics.Metric, dimensions: [(String, String)]) {
            values.change { $0.times["\(metric.name) \(text(dimensions))", default: []].append(time) }
        }

        func set(_ metric: Diagnostics.Metric, to value: Int, dimensions: [(String, String)]) {
            values.change { $0.gauges["\(metric.name) \(text(dimensions))"] = value }
        }

        private func text(_ dimensions: [(String, String)]) -> String {
            dimensions.map { "\($0)=\($1)" }.joined(separator: " ")
        }

        func count(of metric: Diagnostics.Metric) -> Int { values.change { $0.counts[metric] ?? 0 } }
    }

    /// Measures from now on, but calls no recorder: a test does that itself.
    static func start() {
        Diagnostics.limits = .none
        Diagnostics.isOn = true
        Diagnostics.setMetricsRecorder(Sums(), interval: .seconds(3600))
    }

    @Test func `futures are counted when they are made and released, by how they ended`() async {
        await #expect(processExitsWith: .success) {
            MetricsTests.start()
            let (sums, gates) = (Sums(), (0..<3).map { _ in Promise<Int>() })
            var (round, futures) = (MetricsRound(), gates.map { $0.future.map(on: .immediate) { $0 } })
            round.call(sums)
            // The promises and their steps.
            #expect(sums.count(of: .created) == 6)
            gates[0].succeed(1)
            gates[1].fail(Oops())
            futures[2].cancel()
            futures = []
            round.call(sums)
            #expect(sums.count(of: .succeeded) == 1 && sums.count(of: .failed) == 1)
            #expect(sums.count(of: .cancelled) == 1)
            Diagnostics.setMetricsRecorder(nil)
            _ = Promise<Int>().future.map(on: .immediate) { $0 }
            round.call(sums)
            #expect(sums.count(of: .created) == 6)
            withExtendedLifetime(gates) {}
        }
    }

    @Test func `times in queues, locks and pools, and what is in use, are recorded by label`() async {
        await #expect(processExitsWith: .success) {
            MetricsTests.start()
            let (queue, mutex) = (FutureQueue(label: "ledger"), FutureMutex(label: "index"))
            let pool = ResourcePool(
                label: "connections", maxCount: 2, callTimeout: testTimeout, on: .immediate, create: { Future(1) })
            let (gate, sums) = (Promise<Void>(), Sums())
            var (round, permit) = (MetricsRound(), mutex.acquire().success)
            let futures =
                (0..<3).map { _ in queue.on(.immediate).enqueue { gate.future } }
                + (0..<2).map { _ in pool.on(.immediate).enqueue { _ in gate.future } }
            round.call(sums)
            let (ledger, index) = ("kind=FutureQueue queue=ledger", "kind=FutureMutex queue=index")
            let connections = "kind=ResourcePool queue=connections"
            let before = sums.values.value
            let running = [(ledger, 1), (index, 1), (connections, 2)].map { ("futures_queue_running \($0)", $1) }
            #expect(before.gauges == Dictionary(uniqueKeysWithValues: running))
            #expect(before.times["futures_queue_wait_seconds \(ledger)"]?.count == 1)
            gate.succeed()
            permit?.release()
            permit = nil
            for future in futures { try? await future.value }
            round.call(sums)
            let values = sums.values.value
            #expect(values.gauges.values.allSatisfy { $0 == 0 })
            for (name, count) in [(ledger, 3), (index, 1), (connections, 2)] {
                for metric in [Diagnostics.Metric.waitTime, .runTime] {
                    let times = values.times["\(metric.name) \(name)"] ?? []
                    #expect(times.count == count, "\(metric.name) \(name)")
                    #expect(times.allSatisfy { $0 >= Duration.zero })
                }
            }
        }
    }

    @Test func `time limits that have passed and retries are counted`() async {
        await #expect(processExitsWith: .success) {
            MetricsTests.start()
            let (time, sums, runs) = (VirtualTime(), Sums(), Shared(0))
            var round = MetricsRound()
            let (never, inTime) = (Promise<Int>(), Promise<Int>())
            let late = never.future.timeout(after: .seconds(1), on: time.scheduler)
            let early = inTime.future.timeout(after: .seconds(1), on: time.scheduler)
            inTime.succeed(1)
            let queue = FutureQueue()
            let operation = queue.on(time.scheduler).enqueue(with: .runTimeout(.seconds(1))) { Future<Int>.never }
            let retried = Future<Int>(on: .immediate) {
                runs.change { $0 += 1 }
                throw Oops()
            }
            .retry(RetryPolicy(.constant(.seconds(1)), maxRepetitions: 3), on: time.scheduler)
            time.advance(by: .seconds(100))
            #expect(
                late.error != nil && operation.error != nil && retried.error != nil && early.success == 1,
                "\(late) \(operation) \(retried) \(early)")
            round.call(sums)
            #expect(sums.count(of: .timedOut) == 2, "\(sums.count(of: .timedOut))")
            #expect(sums.count(of: .retried) == 3 && runs.value == 4, "\(runs.value)")
        }
    }

    @Test func `operations that a full or closed queue refuses are counted`() async {
        await #expect(processExitsWith: .success) {
            MetricsTests.start()
            let queue = FutureQueue(maxWaitingCount: 0)
            let (gate, sums) = (Promise<Int>(), Sums())
            let futures = (0..<3).map { _ in queue.on(.immediate).enqueue { gate.future } }
            queue.close()
            let refused = queue.on(.immediate).enqueue { Future(1) }
            var round = MetricsRound()
            round.call(sums)
            #expect(sums.count(of: .refused) == 3, "two by a full queue, one by a closed queue")
            withExtendedLifetime((futures, refused)) {}
        }
    }

    @Test func `a flush calls the recorder before it returns`() async {
        await #expect(processExitsWith: .success) {
            let sums = Sums()
            Diagnostics.limits = .none
            Diagnostics.isOn = true
            Diagnostics.setMetricsRecorder(sums, interval: .seconds(3600))
            let promise = Promise<Int>()
            for count in 1...2 {
                _ = promise.future.map(on: .immediate) { $0 }
                Diagnostics.flushMetrics()
                #expect(sums.count(of: .created) == 1 + count, "the promise, and a step each time")
            }
        }
    }
    @Test func `a recorder has one call at a time, and may block and use futures`() async {
        await #expect(processExitsWith: .success) {
            final class Slow: MetricsRecorder {
                let (calls, running) = (AtomicCounter(), AtomicCounter())

                func add(_ count: Int, to metric: Diagnostics.Metric) {
                    precondition(running.up() == 1)
                    try? FutureQueue().on(.background).enqueue { Future() }.wait()
                    running.down()
                    calls.up()
                }

                func record(_: Duration, in _: Diagnostics.Metric, dimensions: [(String, String)]) {}
                func set(_: Diagnostics.Metric, to _: Int, dimensions: [(String, String)]) {}
            }
            let (recorder, promise) = (Slow(), Promise<Int>())
            Diagnostics.limits = .none
            Diagnostics.isOn = true
            Diagnostics.setMetricsRecorder(recorder, interval: .zero)
            while recorder.calls.value < 100 {
                _ = promise.future.map(on: .immediate) { $0 }
                await Task.yield()
            }
        }
    }
}
