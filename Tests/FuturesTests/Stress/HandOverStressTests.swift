// Hand-over under threads: flatMap's second phase and recursion, while other threads cancel and attach.

import Dispatch
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct HandOver {
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
            // At the latest when the jobs in progress have completed.
            expectSoon { tally.count == 0 }
        }
    }
}

/// Recursion on a concurrent scheduler, which gives access to its intermediate futures.
private final class StressRecursion: Sendable {
    private let tally: Tally
    /// Nil after `forget`.
    private let made = Guarded<[Future<Int>]?>([])

    init(_ tally: Tally) { self.tally = tally }

    func run(_ count: Int) -> Future<Int> {
        guard count > 0 else { return Future(0) }
        let token = tally.token()
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
