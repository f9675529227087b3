// Chains that never complete under threads: attached, cancelled and released concurrently. Contract/Memory.md

import Dispatch
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Never {
        @Test func `threads that attach to a future that never completes, and release, leave nothing behind`() {
            let tally = Tally()
            rounds.rounds { random, _ in
                let base = chain(.never, tally)
                let gate = Promise<Int>()
                let late = gate.future.flatMap(on: .immediate) { _ in base }
                let calls = AtomicCounter()
                let seed = random.next()
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    var held: [Future<Int>] = []
                    let bag = DisposeBag()
                    for _ in 0..<12 {
                        let future = chain(random.next() % 2 == 0 ? base : late, tally)
                        switch random.next() % 8 {
                        case 0: future.cancel()
                        case 1: held.append(future)
                        case 2: bag += chain(future, tally)
                        case 3: held.append(select(future, or: late).map(on: .immediate) { _ in 1 })
                        case 4: held.append(join([future, base]).map(on: .immediate) { $0[0] })
                        case 5: future.always(on: .immediate) { calls.up() }.cancel()
                        case 6: held.append(Future(1).flatMap(on: .immediate) { _ in future })
                        default: if !held.isEmpty { held.removeFirst().cancel() }
                        }
                        if thread == 0 { gate.succeed(1) }
                    }
                }
                // These have no listeners any more, so they can be cancelled.
                late.cancel()
                #expect(late.isCompleted)
                base.cancel()
                #expect(base.isCompleted)
            }
            expectSoon { tally.count == 0 }
        }

        @Test func `a future that never completes can be cancelled while threads watch it and stop watching`() {
            let tally = Tally()
            rounds.rounds { random, _ in
                let futures = (0..<4).map { _ in chain(chain(.never, tally), tally) }
                let group = DispatchGroup()
                let seed = random.next()
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for _ in 0..<8 {
                        let future = futures[Int(random.next() % 4)]
                        switch random.next() % 8 {
                        case 0: future.cancel()
                        case 1:
                            let bag = DisposeBag()
                            bag += future
                        case 2:
                            let bag = DisposeBag()
                            bag += future
                            bag += chain(future, tally)
                        case 3: _ = select(future, or: future)
                        default: group.add(future)
                        }
                    }
                }
                futures.forEach { $0.cancel() }
                #expect(group.wait(timeout: .testTimeout) == .success)
            }
            expectSoon { tally.count == 0 }
        }

        @Test func `a signal can be cancelled while threads release the futures that it aborts`() {
            let tally = Tally()
            rounds.rounds { random, _ in
                let signals = (0..<2).map { _ in chain(.never, tally) }
                let seed = random.next()
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    var held: [Future<Int>] = []
                    for _ in 0..<8 {
                        let source = random.oneIn(2) ? chain(.never, tally) : join(.never, signals[0]).map { $0.0 }
                        let aborted = chain(source, tally).abort(forFutures: signals)
                        switch random.next() % 4 {
                        case 0: held.append(aborted)
                        case 1: held.append(chain(aborted, tally))
                        case 2: held.append(select(aborted, or: chain(.never, tally)).map(on: .immediate) { _ in 1 })
                        default: signals[random.oneIn(2) ? 0 : 1].cancel()
                        }
                        if random.oneIn(3), !held.isEmpty { held.removeFirst() }
                    }
                }
                signals.forEach { $0.cancel() }
            }
            expectSoon { tally.count == 0 }
        }

        @Test func `a signal can be cancelled while another thread completes and releases the future that it aborts`() {
            let tally = Tally()
            (rounds * 200).rounds { random, round in
                let (stop, promise) = (chain(.never, tally), Promise<Int>())
                let source = round % 2 == 0 ? promise.future : .never
                let aborted = Guarded<Future<Int>?>(chain(source.abort(forFutures: [stop]), tally))
                race(2, within: .microseconds(2), &random) { thread in
                    if thread == 0 { return _ = stop.cancel() }
                    promise.succeed(1)
                    // Released outside of the lock.
                    let future = aborted.with { $0.take() }
                    withExtendedLifetime(future) {}
                }
            }
            expectSoon { tally.count == 0 }
        }

        @Test func `a step can be cancelled while it begins to wait for a future that never completes`() {
            let tally = Tally()
            (rounds * 20).rounds { random, _ in
                let promise = Promise<Int>()
                // A result that may be released early, as a repetition would run the step again.
                let future = promise.future.map(on: .immediate) { _ in tally.token() }
                    .flatMap(on: .immediate) { _ in Future<Int>.never }
                race(2, within: .microseconds(2), &random) { thread in
                    if thread == 0 { future.cancel() } else { promise.succeed(1) }
                }
                #expect(future.isCancelled)
            }
            expectSoon { tally.count == 0 }
        }

        private func chain(_ source: Future<Int>, _ tally: Tally) -> Future<Int> {
            let token = tally.token()
            return source.map(on: .immediate) { value in withExtendedLifetime(token) { value } }
        }
    }
}
