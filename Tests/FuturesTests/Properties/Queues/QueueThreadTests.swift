// Random programs of queues on several threads: invariants in any order.

import Foundation
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct QueuePrograms {
        @Test func `random programs of several threads run each operation once and keep to the limit`() {
            // A million operations in release mode.
            var left = isDebug ? 60_000 : 1_000_000
            (Int.max / 2).rounds(while: { left > 0 }) { random in
                let program = QueueThreadProgram(&random, maxLength: isDebug ? 12 : 60)
                left -= program.operationCount + 1
                guard let complaint = QueueThreadRun.complaint(about: program) else { return true }
                report(program, complaint)
                return false
            }
        }

        /// Removes steps as long as the program still fails now and then.
        private func report(_ program: QueueThreadProgram, _ complaint: String) {
            var (program, complaint, isSmaller) = (program, complaint, true)
            while isSmaller {
                isSmaller = false
                for candidate in program.smaller {
                    let complaints = (0..<50).lazy.compactMap { _ in QueueThreadRun.complaint(about: candidate) }
                    guard let other = complaints.first else { continue }
                    (program, complaint, isSmaller) = (candidate, other, true)
                    break
                }
            }
            let steps = program.threads.map { "  \($0)" }.joined(separator: "\n")
            Issue.record("\(complaint)\nlimit \(program.limit)\n\(steps)")
        }
    }
}

extension Int {
    /// Runs `body` up to this number of times, as long as `condition` and `body` return true, with a generator for each
    /// time.
    fileprivate func rounds(while condition: () -> Bool, _ body: (inout SplitMix) -> Bool) {
        let seed = UInt64.random(in: 0...(.max / 2))
        for round in 0..<self {
            var random = SplitMix(seed &+ UInt64(round))
            guard condition(), body(&random) else { return }
        }
    }
}
