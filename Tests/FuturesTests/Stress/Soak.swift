// Soak: random programs and races for a time instead of a number of rounds (`.ci/soak`).

import CAllocations
import Foundation
import Testing

/// The rounds of one test. With `FUTURES_SOAK=seconds`, each test with random rounds runs them for that time instead,
/// at least once, and prints how many it has run, and the memory in use.
struct Soak: Sendable {
    private static let seconds = ProcessInfo.processInfo.environment["FUTURES_SOAK"].flatMap(Double.init)

    private let start = ContinuousClock.now
    private let before = allocations_live_bytes()

    /// Whether a test that has run `count` of its usual number of rounds runs another one.
    func runsRound(after count: Int, of usual: Int) -> Bool {
        guard let seconds = Self.seconds else { return count < usual }
        return count == 0 || ContinuousClock.now < start + .seconds(seconds)
    }

    /// The memory of the process, in kilobytes.
    private static var resident: Int {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (words.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }

    /// Prints what has been run, if tests run for a time.
    func report(_ rounds: Int) {
        guard Self.seconds != nil, let test = Test.current else { return }
        let now = allocations_live_bytes()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(
            "soak: \(rounds) rounds, \(Int(seconds)) s, \((now - before) / 1024) KB more, \(now / 1024) KB in use, "
                + "\(Self.resident) KB resident: \(test.displayName ?? test.name)")
    }
}
