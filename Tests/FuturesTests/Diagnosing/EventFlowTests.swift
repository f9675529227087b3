// The flow of events: handlers that block, and many events.

import Dispatch
import Testing

@testable import Futures
@testable import FuturesDiagnostics

@Suite struct EventFlowTests {
    private struct Lost: Error {}

    /// Makes failures that nothing observes.
    private static func lose(_ count: Int) {
        for _ in 0..<count { _ = Future<Int>(on: .immediate, immediate: { throw Lost() }) }
    }

    @Test func `a handler of events is called with one after the other, and a blocked one occupies one thread`() async {
        await #expect(processExitsWith: .success) {
            EventTests.start()
            let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let calls = Shared((running: 0, most: 0, counts: [Int]()))
            Diagnostics.onEvent { event in
                calls.change {
                    $0.running += 1
                    $0.most = max($0.most, $0.running)
                    $0.counts.append(event.kind == .leftOut ? event.count! : 1)
                }
                started.signal()
                gate.wait()
                calls.change { $0.running -= 1 }
            }
            EventFlowTests.lose(1)
            started.wait()
            EventFlowTests.lose(EventFlow.limit + 500)
            // Rates and limits of permits need threads of the system, which the events have left.
            let queue = FutureQueue(rate: RateLimit(1, per: .milliseconds(1)))
            let futures = (0..<3).map { number in queue.on(.immediate).enqueue { Future(number) } }
            let numbers = try await join(futures).value
            #expect(numbers == [0, 1, 2])
            for _ in 0...(EventFlow.limit + 1) { gate.signal() }
            while calls.change({ $0.counts.reduce(0, +) }) < EventFlow.limit + 501 { await Task.yield() }
            #expect(calls.change { $0.most } == 1)
            #expect(calls.change { $0.counts.max() } == 500)
        }
    }

    @Test func `a child task that awaits is no deadlock of its operation`() async {
        await #expect(processExitsWith: .success) {
            EventTests.start()
            let (queue, inner, end) = (FutureQueue(label: "accounts"), Promise<Future<Int>>(), Promise<Void>())
            let operation = queue.run {
                async let _: Int = {
                    let behind = queue.on(.immediate).enqueue { Future(1) }
                    inner.succeed(behind)
                    return try await behind.value
                }()
                // Without what the child awaits, which is behind this operation.
                try await end.future.value
            }
            let behind = try await inner.future.value
            // The child has to be suspended: then the operation behind has a listener.
            while behind.node.pendingListenerCount == 0 { await Task.yield() }
            let report = Diagnostics.report()
            #expect(report.contains("accounts") && !report.contains("DEADLOCK"), "\(report)")
            end.succeed()
            try await operation.value
        }
    }
}
