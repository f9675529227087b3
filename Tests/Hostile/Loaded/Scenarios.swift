// Scenarios: what the host runs in the loaded library. Each counts what went wrong.

import Dispatch
import Futures

/// Counts what did not hold, and says it.
struct Failures {
    private(set) var count: Int32 = 0

    mutating func check(_ holds: Bool, _ message: @autoclosure () -> String) {
        guard !holds else { return }
        print("failed: \(message())")
        count += 1
    }
}

/// Called by the host, on any thread. Returns the number of failures.
@_cdecl("run_scenario")
public func runScenario(_ name: UnsafePointer<CChar>) -> Int32 {
    switch String(cString: name) {
    case "programs": runPrograms()
    case "times": runTimes()
    case "begin": Background.begin()
    case "end": Background.end()
    case "pending": leavePending()
    default: 1
    }
}

/// Leaves work of every kind behind.
private func leavePending() -> Int32 {
    let queue = FutureQueue()
    for number in 0..<100 {
        Scheduler.background.perform { Future(number).delay(by: .microseconds(number)) }.onValue(on: .background) { _ in
        }
        queue.on(.background).enqueue { Future(1).delay(by: .milliseconds(1)) }.onValue(on: .immediate) { _ in }
        Scheduler.background.perform { Future(1).delay(by: .seconds(3600)) }.onValue(on: .immediate) { _ in }
    }
    return 0
}
