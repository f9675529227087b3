// Deferreds under threads: started, copied, released and resolved concurrently.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Deferreds {
        @Test func `a deferred that threads start, extend and release concurrently runs completely at each start`() {
            let schedulers = [Scheduler.immediate, .utility, Scheduler(label: "serial"), .userInitiated]
            rounds.rounds { random, _ in
                let (tally, starts, runs) = (Tally(), AtomicCounter(), AtomicCounter())
                let base = Guarded<Deferred<Int>?>(nil)
                do {
                    let token = tally.token()
                    var deferred = Deferred { withExtendedLifetime(token) { runs.up() * 0 } }
                    for _ in 0..<20 { deferred = deferred.map { $0 + 1 } }
                    base.with { $0 = deferred }
                }
                let ends = Guarded<[(future: Future<Int>, value: Int, isCancelled: Bool)]>([])
                let seed = random.next()
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    guard var mine = base.with({ $0 }) else { return }
                    var value = 20
                    for _ in 0..<5 {
                        switch random.next() % 4 {
                        case 0:
                            mine = mine.flatMap { value in Deferred { value + 1 } }
                            value += 1
                        case 1: if thread == 3 { _ = base.with { $0.take() } }
                        default:
                            let end = mine.start(on: schedulers[Int(random.next() % 4)])
                            starts.up()
                            let isCancelled = random.next() % 3 == 0
                            if isCancelled { end.cancel() }
                            let entry = (end, value, isCancelled)
                            ends.with { $0.append(entry) }
                        }
                    }
                }
                _ = base.with { $0.take() }
                expectSoon { ends.with { $0.allSatisfy { $0.future.isCompleted } } }
                for end in ends.with({ $0 }) {
                    #expect(end.future.success == end.value || end.isCancelled && end.future.isCancelled)
                }
                #expect(runs.value <= starts.value)
                #expect(runs.value >= ends.with { $0.count { $0.future.success != nil } })
                ends.with { $0 = [] }
                expectSoon { tally.count == 0 }
            }
        }

        @Test func `of concurrent resolves of a run one is called, even if a cancel races with them`() {
            rounds.rounds { random, _ in
                let (asked, heard) = (AtomicCounter(), AtomicCounter())
                let resolver = Guarded<(@Sendable (() throws -> Int) -> Void)?>(nil)
                let end = Deferred<Int>.future { resolve in resolver.with { $0 = resolve } }
                    .start(on: .immediate).always(on: .immediate) { heard.up() }
                let cancels = random.next() % 2 == 0
                race { thread in
                    if thread == 3, cancels { return _ = end.cancel() }
                    let resolve = resolver.with { $0 }
                    resolve? {
                        asked.up()
                        if thread == 0 { throw Oops(0) }
                        return thread
                    }
                }
                _ = resolver.with { $0.take() }
                #expect(asked.value == 1 && heard.value == 1)
                #expect(
                    (1...3).contains(end.success ?? -1) || end.error as? Oops == Oops(0) || cancels && end.isCancelled)
            }
        }
    }
}
