// Timers under threads: time limits, results and cancels that race.

import Futures
import FuturesTesting
import Testing

extension ThreadStressTests {
    @Suite struct Timing {
        @Test func `a time limit, a result and a cancel that race complete a future once and leave nothing behind`() {
            (rounds / 4).rounds { _, _ in
                for index in timers(.seconds(1), on: VirtualTime()).indices {
                    let time = VirtualTime()
                    let census = Census()
                    let promise = Promise<Int>()
                    let ends = AtomicCounter()
                    func attach() -> Future<Int> {
                        let captured = census.make()
                        return timers(.seconds(1), on: time)[index](
                            promise.future.map(on: .immediate) { captured.pass($0) }
                        )
                        .always(on: .immediate) { ends.up() }
                    }
                    let future = Guarded<Future<Int>?>(attach())
                    race(3) { thread in
                        switch thread {
                        case 0: time.advance(by: .seconds(1))
                        case 1: promise.succeed(1)
                        default: future.with { $0.take() }?.cancel()
                        }
                    }
                    // A result that is delayed at that point waits for its own timer.
                    time.advance(by: .seconds(1))
                    #expect(ends.value == 1, "operator \(index)")
                    #expect(time.pendingCount == 0, "operator \(index)")
                    #expect(census.alive == 0, "operator \(index)")
                }
            }
        }

        @Test func `work that a delay starts and a result or a cancel ends is disposed as often as it was started`() {
            rounds.rounds { _, _ in
                let time = VirtualTime()
                let (begun, ended) = (AtomicCounter(), AtomicCounter())
                let promise = Promise<Int>()
                let performed = promise.future.performWhile(on: time.scheduler, delayBy: .seconds(1)) {
                    begun.up()
                    return Disposer { ended.up() }
                }
                let immediate = promise.future.performWhile(on: .immediate) {
                    begun.up()
                    return Disposer { ended.up() }
                }
                race(3) { thread in
                    switch thread {
                    case 0: time.advance(by: .seconds(1))
                    case 1: promise.succeed(1)
                    default:
                        performed.cancel()
                        immediate.cancel()
                    }
                }
                time.run()
                #expect(performed.isCompleted && immediate.isCompleted)
                #expect([1, 2].contains(begun.value))
                #expect(ended.value == begun.value)
            }
        }

        @Test func `under any race, a future that ignores cancels and a joined future complete once`() {
            rounds.rounds { _, _ in
                let (promise, gate) = (Promise<Int>(), Promise<Int>())
                let ignoring = promise.future.shieldedFromCancellation()
                let joined = join(promise.future, gate.future).map(on: .immediate) { $0.0 }
                let ends = AtomicCounter()
                let tails = [ignoring, joined].map { $0.always(on: .immediate) { ends.up() } }
                race(3) { thread in
                    switch thread {
                    case 0: promise.succeed(1)
                    case 1: gate.succeed(2)
                    default: for tail in tails { tail.cancel() }
                    }
                }
                #expect(ends.value == 2)
                // It was never cancelled, although all other listeners may have been cancelled before it succeeded.
                #expect((try? promise.future.result?.get()) == 1)
            }
        }
    }
}
