// Long chains: a million maps, and large values that pass through many maps. Contract/Memory.md

import Dispatch
import Futures
import Synchronization
import Testing

extension ScaleTests {
    @Suite(.serialized) struct ChainScaleTests {
        private let tally = Tally()
        private let count = scaled(1_000_000)

        private func chain(_ source: Future<Int>, _ count: Int) -> Future<Int> {
            var last = source
            for _ in 0..<count {
                let token = tally.token()
                last = last.map(on: .immediate) { value in withExtendedLifetime(token) { value + 1 } }
            }
            return last
        }

        @Test func `a million maps are completed, cancelled and released with 512 KiB of stack`() {
            let count = count
            onSmallStack {
                let promise = Promise<Int>()
                let last = chain(promise.future, count)
                promise.succeed(0)
                #expect(last.success == count)
                let other = Promise<Int>()
                chain(other.future, count).cancel()
                #expect(other.future.isCompleted)
                _ = chain(Promise<Int>().future, count)
            }
            #expect(tally.count == 0)
        }

        @Test func `a pending map takes at most 192 bytes`() {
            let promise = Promise<Int>()
            let growth = growth { sample in
                var last = promise.future
                for _ in 0..<count { last = last.map(on: .immediate) { $0 + 1 } }
                sample()
                promise.succeed(0)
                #expect(last.success == count)
            }
            #expect(growth <= 192 * count + 4096)
        }
    }
}

extension ScaleTests {
    @Suite(.serialized) struct LargeValueTests {
        /// A value of 1 MiB that is counted.
        private struct Large: Sendable {
            let bytes = [UInt8](repeating: 1, count: 1 << 20)
            let token: Tally.Token
        }

        private let tally = Tally()

        private func maps(
            _ source: Future<Large>, _ tally: Tally? = nil, on scheduler: (Int) -> Scheduler
        ) -> Future<Large> {
            let tally = tally ?? self.tally
            return (0..<200).reduce(source) { last, index in
                last.map(on: scheduler(index)) { _ in Large(token: tally.token()) }
            }
        }

        @Test func `200 maps over 1 MiB that complete immediately retain at most 3 MiB`() {
            let tally = tally
            let growth = growth { sample in
                let last = maps(Future(on: .immediate, immediate: { Large(token: tally.token()) })) { _ in
                    .immediate
                }
                #expect(last.isCompleted)
                #expect(tally.count <= 3)
                sample()
                withExtendedLifetime(last) {}
            }
            #expect(growth <= 3 << 20 + 65_536)
        }
    }
}
