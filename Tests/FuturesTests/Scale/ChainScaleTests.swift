// Long chains: a million maps, deferred steps, and futures without history. Contract/Memory.md

import Futures
import Testing

extension ScaleTests {
    @Suite(.serialized) struct ChainScaleTests {
        private let census = Census(), count = scaled(1_000_000)

        private func chain(_ source: Future<Int>) -> Future<Int> {
            (0..<count).reduce(source) { last, _ in
                let token = census.make()
                return last.map(on: .immediate) { value in withExtendedLifetime(token) { value + 1 } }
            }
        }

        @Test func `a million maps are completed, cancelled and released with 512 KiB of stack`() {
            onSmallStack {
                let (promise, other) = (Promise<Int>(), Promise<Int>())
                let last = chain(promise.future)
                promise.succeed(0)
                #expect(last.success == count)
                chain(other.future).cancel()
                #expect(other.future.isCancelled)
                _ = chain(Promise<Int>().future)
            }
            #expect(census.alive == 0)
        }

        @Test func `a pending map takes at most 160 bytes`() {
            let promise = Promise<Int>()
            let growth = growth { sample in
                var last = promise.future
                for _ in 0..<count { last = last.map(on: .immediate) { $0 + 1 } }
                sample()
                promise.succeed(0)
                #expect(last.success == count)
            }
            #expect(growth <= 160 * count + 4096)
        }

        @Test func `a chain of a million deferred steps is built, started and released without recursion`() {
            onSmallStack {
                let token = census.make()
                var deferred = Deferred { withExtendedLifetime(token) { 0 } }
                for _ in 0..<count { deferred = deferred.map { $0 + 1 } }
                let branch = deferred.map { -$0 }
                #expect(deferred.start(on: .immediate).success == count)
                deferred = Deferred(0)
                #expect(branch.start(on: .immediate).success == -count)
            }
            #expect(census.alive == 0)
        }

        @Test func `a million futures without history complete, are cancelled and are released on a small stack`() {
            onSmallStack {
                for end in 0..<3 {
                    var gate: Promise<Int>? = Promise<Int>()
                    let tail = (0..<count).reduce(gate!.future) { tail, _ in tail.withoutHistory() }
                    switch end {
                    case 0: gate!.succeed(1)
                    case 1: tail.cancel()
                    default: gate = nil
                    }
                    #expect(tail.isCompleted)
                }
                _ = (0..<count).reduce(Future<Int>.never) { tail, _ in tail.withoutHistory() }
            }
        }
    }
}
