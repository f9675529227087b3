// Runs of progressions under threads: cancelled, ended by observers, and added to lines.

import Dispatch
import Foundation
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct ProgressionRuns {
        /// How a stage reaches the next one.
        enum Way: CaseIterable {
            case subroutine, hopping, resolved, inside
        }

        private struct Stage: Progression {
            let way: Way
            let begun: AtomicCounter
            let token: Tally.Token
            var result: Int? { nil }

            func next() -> Deferred<Stage> {
                switch way {
                case .subroutine: Deferred { advanced() }
                case .hopping: Deferred(on: .userInitiated) { advanced() }.map { $0 }
                case .resolved:
                    Deferred.future { resolve in
                        begun.up()
                        DispatchQueue.global().async { resolve { self } }
                    }
                case .inside:
                    Stage(way: .subroutine, begun: begun, token: token).compose(
                        transformNext: { _ in self }, transformResult: { (_: Int) -> Stage in self })
                }
            }

            func advanced() -> Stage {
                begun.up()
                return self
            }
        }

        /// Starts an endless run.
        private func begin(
            _ way: Way, on scheduler: Scheduler, _ begun: AtomicCounter, _ tally: Tally,
            ask: (@Sendable () -> Bool)? = nil
        ) -> Future<Int> {
            let stage = Stage(way: way, begun: begun, token: tally.token())
            guard let ask else { return stage.run(on: scheduler) }
            return stage.run(on: scheduler) { _ in ask() }
        }

        @Test func `after a cancel no stage starts in place, except one that was already starting`() {
            let schedulers = [Scheduler.utility, Scheduler(label: "serial")]
            (rounds / 4).rounds { random, round in
                let (begun, tally) = (AtomicCounter(), Tally())
                let enough = Int(random.next() % 200)
                var run: Future<Int>? = begin(.subroutine, on: schedulers[round % 2], begun, tally)
                expectSoon { begun.value >= enough }
                run?.cancel()
                let atCancel = begun.value
                #expect(run?.isCancelled == true)
                run = nil
                expectSoon { tally.count == 0 }
                #expect(begun.value <= atCancel + 1)
            }
        }

        @Test(arguments: Way.allCases)
        func `no stage starts after an observer has ended the run, even if a cancel races with it`(_ way: Way) {
            (rounds / 4).rounds { random, _ in
                let (begun, tally, vetoes, late) = (AtomicCounter(), Tally(), AtomicCounter(), AtomicCounter())
                let enough = Int(random.next() % 100)
                let atVeto = AtomicCounter()
                let run = Guarded<Future<Int>?>(nil)
                let isCancelling = random.next() % 2 == 0
                race(2) { thread in
                    if thread == 0 {
                        let future = begin(way, on: .utility, begun, tally) {
                            if vetoes.value > 0 { late.up() }
                            guard begun.value >= enough else { return true }
                            for _ in 0..<begun.value { atVeto.up() }
                            vetoes.up()
                            return false
                        }
                        run.with { $0 = future }
                    } else if isCancelling {
                        expectSoon { begun.value >= enough }
                        run.with { $0 }?.cancel()
                    }
                }
                expectSoon { run.with { $0?.isCancelled == true } }
                _ = run.with { $0.take() }
                expectSoon { tally.count == 0 }
                #expect(late.value == 0)
                #expect(vetoes.value == 0 && isCancelling || vetoes.value == 1 && begun.value == atVeto.value)
            }
        }
    }
}
