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

        @Test func `a map takes the same time in a long chain as in a short one`() {
            let slowdown = slowdown(ofTenTimes: count / 10) { count in
                time {
                    let promise = Promise<Int>()
                    let last = chain(promise.future, count)
                    promise.succeed(0)
                    #expect(last.isCompleted)
                }
            }
            #expect(slowdown < flat)
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

        @Test func `a wait in a callback for the end of a chain behind that takes constant time for each step`() {
            let slowdown = slowdown(ofTenTimes: 500) { count in
                let (promise, last, result) = (Promise<Int>(), Shared<Future<Int>?>(nil), Shared<Int?>(nil))
                promise.future.onValue(on: .immediate) { _ in result.value = try? last.value!.wait() }
                last.value = chain(promise.future, count)
                let time = time { promise.succeed(0) }
                #expect(result.value != nil)
                return time
            }
            #expect(slowdown < flat)
        }

        @Test func `a million completed futures that were added to one bag leave it empty`() {
            let bag = DisposeBag()
            let growth = growth { _ in
                for number in 0..<count {
                    let promise = Promise<Int>()
                    bag += promise.future
                    promise.succeed(number)
                }
            }
            #expect(bag.isEmpty)
            #expect(growth < 1 << 20)
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

        @Test func `200 maps over 1 MiB on two schedulers retain at most 3 MiB`() throws {
            let schedulers = [Scheduler(label: "one"), Scheduler(label: "two")]
            // One more value is alive if the system suspends a thread between passing on a result and releasing its
            // job, but not each time.
            let counts = try (0..<5).map { _ in
                let tally = Tally()
                let promise = Promise<Large>()
                let last = maps(promise.future, tally) { schedulers[$0 % 2] }
                DispatchQueue.global().async { promise.succeed(Large(token: tally.token())) }
                _ = try last.wait()
                // The last jobs may not have been released yet.
                for scheduler in schedulers { scheduler.sync {} }
                return tally.count
            }
            #expect(counts.min()! <= 3)
            #expect(counts.max()! <= 10)
        }
    }
}
