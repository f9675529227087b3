// Reports of queues in which many operations wait.

import Futures
import FuturesDiagnostics
import Testing

extension ScaleTests {
    @Suite(.serialized) struct LargeReportTests {
        @Test func `100 000 waiting operations are reported in constant time each, and many that run`() async {
            // Recording is a switch of the process.
            await #expect(processExitsWith: .success) {
                Diagnostics.limits = .none
                Diagnostics.isOn = true
                for running in [1, 100] {
                    let slowdown = slowdown(ofTenTimes: scaled(10_000)) { count in
                        let (queue, gate) = (FutureQueue(maxConcurrentCount: running), Promise<Int>())
                        for _ in 0..<(count + running) {
                            queue.on(.immediate).enqueue { gate.future }.onValue { _ in }
                        }
                        defer { gate.succeed(1) }
                        return time { _ = Diagnostics.report() }
                    }
                    #expect(slowdown < flat)
                }
            }
        }
    }
}
