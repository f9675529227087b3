// LatestOperation under threads: no call is forgotten, and nothing is kept.

import Futures
import FuturesTesting
import Testing

extension ThreadStressTests {
    @Suite struct LoadingPrograms {
        @Test func `under random cancels, the last of many operations completes`() async {
            await runPrograms(rounds / 2) { LatestRun(isThrottled: $0.oneIn(2), $0.next()) }
        }
    }
}

/// A latest operation, and the calls and cancels of four threads.
private final class LatestRun: ThreadProgram {
    let witness = Witness()
    private let pending = Pending()
    private let latest: LatestOperation
    private let seed: UInt64

    init(isThrottled: Bool, _ seed: UInt64) {
        latest =
            isThrottled ? LatestOperation(debounce: .microseconds(5), throttle: .microseconds(20)) : LatestOperation()
        self.seed = seed
    }

    func run(thread: Int) {
        var random = SplitMix(seed &+ UInt64(thread))
        for _ in 0..<10 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: pending.cancelOne(&random)
            case 1: witness.openGates()
            default:
                let (course, scheduler) = (
                    random.pick(Witness.Course.allCases), random.pick([Scheduler.immediate, .background])
                )
                pending.add(latest.future(on: scheduler) { [witness] in try witness.work(course) {} })
            }
        }
    }

    func finish() async {
        let last = latest.future(on: .immediate) { Future(7) }
        await witness.expect("the last call waits") { last.isCompleted }
        if last.success != 7 { witness.complain("\(last)") }
        // All others were superseded, although no gate opens.
        await witness.expect("a call waits forever") {
        } _: {
            self.pending.isEmptied() && "\(self.latest)" == "LatestOperation(isWaiting: false, isRunning: false)"
        }
        witness.openGates()
    }
}
