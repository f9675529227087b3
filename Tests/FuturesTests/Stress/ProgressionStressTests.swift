// Deferreds and progressions under threads: cancels while runs start.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Progressions {
        @Test func `a deferred that is cancelled while it starts never runs, or is disposed`() {
            rounds.rounds { _, _ in
                let (begun, disposed, ends) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
                let kept = Guarded<[Future<Int>.Completion]>([])
                let deferred = Deferred<Int>.operation { completion in
                    begun.up()
                    kept.with { $0.append(completion) }
                    return Disposer { disposed.up() }
                }.map { $0 + 1 }
                race(3) { thread in
                    let run = deferred.start().always(on: .immediate) { ends.up() }
                    if thread == 2 { for complete in kept.with({ $0 }) { complete(.success(1)) } }
                    run.cancel()
                    #expect(run.isCompleted)
                }
                // A cancelled run may be starting right now, on a thread that has it from another one.
                expectSoon { disposed.value == begun.value && ends.value == 3 }
                #expect(begun.value <= 3)
                // The completions retain the operations, and these the list.
                let completions = kept.with { kept in
                    defer { kept = [] }
                    return kept
                }
                withExtendedLifetime(completions) {}
            }
        }

        /// Three stages, each of which counts those that run concurrently.
        private struct Counting: Progression {
            let running: AtomicCounter
            let excess: AtomicCounter
            let limit: Int
            let token: Tally.Token
            var number = 0

            var result: Int? { number == 3 ? number : nil }

            func next() -> Deferred<Counting> {
                Deferred {
                    if running.up() > limit { excess.up() }
                    defer { running.down() }
                    var next = self
                    next.number += 1
                    return next
                }
            }
        }
    }
}
