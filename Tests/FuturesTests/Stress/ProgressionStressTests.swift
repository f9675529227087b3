// Deferreds and production lines under threads: cancels while runs start.

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

        @Test func `a production line that threads add to, cancel and clear keeps its concurrency limit`() async {
            var random = SplitMix(.random(in: 0...(.max / 2)))
            for round in 0..<rounds / 4 {
                let (tally, heard) = (Tally(), AtomicCounter())
                let (running, excess) = (AtomicCounter(), AtomicCounter())
                let limit = 1 + round % 3
                do {
                    let line = ProductionLine<Counting>(maxConcurrentCount: limit)
                    let listening = line.onResult { _ in heard.up() }
                    let all = Guarded<[Future<Int>]>([])
                    let seed = random.next()
                    race { thread in
                        var random = SplitMix(seed &+ UInt64(thread))
                        for _ in 0..<10 {
                            let end = line.enqueue(
                                Counting(running: running, excess: excess, limit: limit, token: tally.token()))
                            all.with { $0.append(end) }
                            switch random.next() % 8 {
                            case 0, 1: all.with { $0.randomElement(using: &random) }?.cancel()
                            case 2: line.pause()
                            case 3: line.abortQueuedOperations()
                            default: line.resume()
                            }
                        }
                    }
                    line.resume()
                    _ = await line.drained().arrival()
                    let ends = all.with { $0 }
                    for end in ends { _ = await end.arrival() }
                    #expect(ends.allSatisfy { $0.success == 3 || $0.isCancelled })
                    #expect(heard.value >= ends.count { $0.success != nil } && heard.value <= ends.count)
                    listening.dispose()
                }
                #expect(excess.value == 0)
                #expect(await comesTrue { tally.count == 0 })
            }
        }
    }
}
