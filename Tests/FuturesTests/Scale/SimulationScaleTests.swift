// Simulations of many schedulers and many jobs: constant time each.

import Futures
import FuturesTesting
import Testing

extension ScaleTests {
    @Suite(.serialized) struct LargeSimulationTests {
        /// The slowdown of a simulation that runs `body` with the number of its jobs.
        private func slowdown(_ body: (Int) throws -> Void) throws -> Double {
            try FuturesTests.slowdown(ofTenTimes: scaled(20_000)) { count in
                try time { try Simulation.run(seed: 1) { try body(count) } }
            }
        }

        @Test func `20 000 schedulers of a simulation take constant time each`() throws {
            let together = try slowdown { count in
                let futures = (0..<count).map { number in
                    Future(on: Scheduler(label: "\(number)"), immediate: { number })
                }
                let values = try join(futures).wait()
                #expect(values == Array(0..<count))
            }
            #expect(together < flat)
            // Those that have no job any more cost nothing.
            let inTurn = try slowdown { count in
                for number in 0..<count {
                    let value = try Future(on: Scheduler(label: "\(number)"), immediate: { number }).wait()
                    #expect(value == number)
                }
            }
            #expect(inTurn < flat)
        }
    }
}
