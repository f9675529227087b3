// Hand-over under threads: flatMap's second phase and recursion, while other threads cancel and attach.

import Dispatch
import Futures
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite struct HandOver {
        @Test func `a flatMap calls its transform once when its inner future completes during a cancel`() {
            (rounds * 30).rounds { random, round in
                let inner = Promise<Int>()
                let calls = AtomicCounter()
                // The source is an operation, so its result is released once it has been passed on.
                let outer = Future(on: .immediate, immediate: { "a value of some size, to be counted \(round)" })
                    .flatMap(on: .immediate) { text in
                        calls.up()
                        return text.isEmpty ? Future(0) : inner.future
                    }
                let order = (0..<3).shuffled(using: &random)
                race(3) { thread in
                    switch order[thread] {
                    case 0: inner.succeed(1)
                    case 1: outer.cancel()
                    default: outer.map(on: .immediate) { $0 }.cancel()
                    }
                }
                #expect(outer.isCompleted)
                #expect(calls.value == 1)
            }
        }

        @Test func `recursion whose links other threads retain, attach to and cancel ends with its value`() {
            let tally = Tally()
            (rounds / 10).rounds { random, round in
                let recursion = StressRecursion(tally)
                let audience = Audience()
                // Cancelling the only listener of a step cancels that step, and with it the end.
                let mayLeave = round % 2 == 0
                let group = DispatchGroup()
                group.enter()
                let end = recursion.run(100).always(on: .immediate) { group.leave() }
                let seed = random.next()
                race(3) { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    while !end.isCompleted {
                        guard let future = recursion.anyone(&random) else { continue }
                        let listener = audience.join(future)
                        if mayLeave, random.next() % 2 == 0 { audience.leave(listener) }
                        _ = future.result
                    }
                }
                group.expectDone()
                #expect(end.success == 0 || mayLeave && end.isCompleted)
                audience.check()
                recursion.forget()
            }
            expectNone(tally)
        }

        @Test func `recursion that is cancelled at its end stops, and leaves nothing behind`() {
            let tally = Tally()
            (rounds / 10).rounds { random, round in
                let recursion = StressRecursion(tally)
                let calls = AtomicCounter()
                let end = recursion.run(.max).always(on: .immediate) { calls.up() }
                race(3) { thread in
                    var random = SplitMix(UInt64(round * 3 + thread))
                    // A step without a listener is cancelled, and with it the whole recursion.
                    while recursion.stepCount < 20, !end.isCompleted {
                        recursion.anyone(&random)?.map(on: .immediate) { $0 }.cancel()
                    }
                    end.cancel()
                }
                #expect(end.isCompleted)
                #expect(calls.value == 1)
                recursion.forget()
            }
            expectNone(tally)
        }

        /// Expects that all steps are released, at the latest when the jobs in progress have completed.
        private func expectNone(_ tally: Tally, location: Testing.SourceLocation = #_sourceLocation) {
            expectSoon(location: location) { tally.count == 0 }
        }
    }
}

/// Recursion on a concurrent scheduler, which gives access to its intermediate futures.
private final class StressRecursion: Sendable {
    private let tally: Tally
    /// Nil after `forget`.
    private let made = Guarded<[Future<Int>]?>([])
    private let steps = AtomicCounter()

    init(_ tally: Tally) { self.tally = tally }

    var stepCount: Int { steps.value }

    func run(_ count: Int) -> Future<Int> {
        guard count > 0 else { return Future(0) }
        let token = tally.token()
        steps.up()
        let future = source(count).flatMap(on: .immediate) { count in
            withExtendedLifetime(token) { self.run(count - 1) }
        }
        let old = made.with { made in
            made?.append(future)
            // Some are retained for long, most only for a while.
            return made.map { $0.count > 8 } == true ? made?.remove(at: 4) : nil
        }
        withExtendedLifetime(old) {}
        return future
    }

    /// Returns a future that has completed, or that another thread completes.
    private func source(_ count: Int) -> Future<Int> {
        if count % 3 == 0 { return Future(count) }
        let promise = Promise<Int>()
        DispatchQueue.global().async { promise.succeed(count) }
        return promise.future
    }

    func anyone(_ random: inout SplitMix) -> Future<Int>? {
        made.with { $0?.randomElement(using: &random) }
    }

    func forget() {
        let old = made.with { $0.take() }
        withExtendedLifetime(old) {}
    }
}
