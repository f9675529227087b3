// Runner: the order and number of passes.

import Synchronization
import Testing

@testable import benchmarks

@Suite(.serialized) struct RunnerTests {
    private static let effort = Runner.Effort(name: "tiny", rounds: 4, slice: 20_000, maxTime: 1e12, fewestRounds: 2)

    /// Records which contestants ran, and with how many passes.
    private final class Log: Sendable {
        private let state = Mutex<[(name: String, passes: Int)]>([]), sum = Atomic<Int>(0)

        var entries: [(name: String, passes: Int)] { state.withLock { $0 } }

        func contestant(_ side: Side, _ name: String, work: Int = 100) -> Contestant {
            Contestant(side, clock: .thread) { passes in
                self.state.withLock { $0.append((name, passes)) }
                // Atomic, because the compiler would compute the sum of an ordinary loop.
                for number in 0..<passes * work { self.sum.add(number, ordering: .relaxed) }
            }
        }
    }

    @Test func `all contestants of a series take turns, and each starts a round`() {
        let log = Log()
        let rows = ["a", "b"].map { name in
            Row(
                name: name, isOnePass: true, series: "s",
                contestants: [log.contestant(.futures, name), log.contestant(.callback, name + "'")])
        }
        let findings = Runner(effort: Self.effort).measure(rows)
        let order = log.entries.map(\.name)
        // Once to warm up the caches, then in turns.
        #expect(Array(order.prefix(4)) == ["a", "a'", "b", "b'"])
        #expect(order.dropFirst(4).joined(separator: " ") == "a a' b b' a' b b' a b b' a a' b' a a' b")
        #expect(findings.map(\.row.name) == ["a", "b"])
        #expect(findings.allSatisfy { $0.results.map(\.side) == [.futures, .callback] })
        #expect(findings.allSatisfy { $0.results.allSatisfy { $0.turns.count == 4 } })
    }

    @Test(.enabled(if: Allocations.liveBytes != nil, "Bytes are counted with the GNU C library, without sanitizers."))
    func `a workload that samples its memory does so in four passes, and never while it is timed`() {
        let passes = Mutex<[Bool]>([])
        let contestant = Contestant(.futures) { _ in
            Held.look()
            passes.withLock { $0.append(Held.isSampling) }
        }
        let row = Row(name: "a", isOnePass: true, contestants: [contestant])
        let result = Runner(effort: Self.effort).measure([row])[0].results[0]
        #expect(passes.withLock { $0 } == [true, true, true, true, false, false, false, false])
        // The first pass is the warm-up.
        #expect(result.memory.count == 3)
        #expect(result.turns.count == 4)
    }
}
