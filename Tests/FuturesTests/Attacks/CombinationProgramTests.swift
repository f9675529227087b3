// Random trees of combinations under four threads, and interrupted ones.

import Foundation
import Futures
import Testing

extension Attacks {
    @Suite struct Combinations {
        @Test(arguments: [false, true])
        func `combinations that are cancelled as they complete release no result under a reader`(isInterrupted: Bool) {
            Attacks.run(isDebug ? 100 : 2000) { random in
                let program = CombinationProgram(&random)
                let census = program.census
                let seed = random.next()
                // Each thread starts after a random pause, so that the threads interleave differently each time.
                let range = 1 << Int.random(in: 4..<14, using: &random)
                let pauses = (0..<4).map { _ in Int.random(in: 0..<range, using: &random) }
                // Mostly two threads: with more threads than processors, they rarely run concurrently.
                let count = random.pick([2, 2, 2, 3, 4])
                if random.oneIn(2) { program.completeAllButOne() }
                let body: @Sendable (Int) -> Void = { [program] thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for number in 0..<pauses[thread] { doNothing(number) }
                    program.run(thread, &random)
                }
                if isInterrupted { interruptedRace(count, body) } else { race(count, body) }
                program.finish()
                // Some operations continue although nothing needs them: they run in the background, or ignore a cancel.
                guard happens({ census.alive == 0 }) else { return "\(census.alive) of \(census.peak) values are kept" }
                return program.complaint
            }
        }
    }
}

@inline(never) private func doNothing(_ number: Int) {}
