// Dispatch and signals under threads: cancels.

import Dispatch
import Foundation
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Bridges {
        @Test func `a block that is cancelled while its queue starts it runs at most once`() {
            let queue = DispatchQueue(label: "queue")
            rounds.rounds { random, round in
                let (begun, ends) = (AtomicCounter(), AtomicCounter())
                queue.suspend()
                let future = queue.asyncFuture {
                    begun.up()
                    return round
                }
                let end = future.always(on: .immediate) { ends.up() }
                race(3, within: .microseconds(20), &random) { thread in
                    switch thread {
                    case 0: end.cancel()
                    case 1: future.cancel()
                    default: queue.resume()
                    }
                }
                queue.sync {}
                #expect(future.isCompleted && end.isCompleted && ends.value == 1)
                #expect(begun.value == 1 || begun.value == 0 && future.isCancelled)
            }
        }

        #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
            @Test func `a signal that arrives while some of its futures are cancelled reaches the others`() async {
                // By default it has no effect, so it may arrive when nothing waits for it.
                let signal = ProcessSignal(SIGWINCH)
                for _ in 0..<rounds / 4 {
                    let (left, kept) = (signal.future(), signal.future())
                    let loop = Task { for await other in signal.stream() { #expect(other == signal) } }
                    race { thread in
                        switch thread {
                        case 0: kill(getpid(), SIGWINCH)
                        case 1: left.cancel()
                        case 2: loop.cancel()
                        default: signal.future().cancel()
                        }
                    }
                    let (heard, end) = (await kept.arrival(), await left.arrival())
                    #expect((try? heard.get()) == signal)
                    if case .failure(let error) = end { #expect(error is CancellationError) }
                    await loop.value
                }
            }
        #endif
    }
}
