// Combinations that are attached, or repeated and cancelled, while another thread completes their futures.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Combinations {
        @Test func `a repetition of a combination that is cancelled while it starts leaves nothing running`() {
            let (begun, disposed) = (AtomicCounter(), AtomicCounter())
            let schedulers = (0..<2).map { Scheduler(label: "starting \($0)") }
            (rounds / 2).rounds { random, round in
                let scheduler = schedulers[round % 2]
                let runs = AtomicCounter()
                let children = (0..<8).map { index in
                    Future<Int>(on: scheduler) { completion in
                        runs.up()
                        // The first run fails; in the second one, all operations stay pending.
                        if runs.value <= 8 {
                            if index == 7 { completion(.failure(Oops())) }
                            return Disposer { withExtendedLifetime(completion) {} }
                        }
                        begun.up()
                        return Disposer {
                            withExtendedLifetime(completion) {}
                            disposed.up()
                        }
                    }
                }
                let future = join(children).onErrorRepeat(on: scheduler, maxRepetitions: 1) { _ in true }
                let pause = Int.random(in: 0..<60, using: &random)
                while runs.value < 16 {}
                for _ in 0..<pause { _ = future.isCompleted }
                future.cancel()
                scheduler.sync {}
            }
            #expect(begun.value == disposed.value)
        }
    }
}
