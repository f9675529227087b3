// Bags under threads: everything is disposed once.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Disposing {
        @Test func `a bag that is disposed while it is filled disposes each object once`() {
            rounds.rounds { random, _ in
                let calls = (0..<30).map { _ in AtomicCounter() }
                let (bag, order) = (DisposeBag(), Int(random.next() % 10))
                race { thread in
                    for index in 0..<10 where thread < 3 {
                        let counter = calls[thread * 10 + index]
                        switch index % 3 {
                        case 0: bag += { _ = counter.up() }
                        case 1: bag += Disposer { counter.up() }
                        default:
                            let inner = DisposeBag()
                            inner += Disposer { counter.up() }
                            bag += inner
                            inner.dispose()
                        }
                        if thread == 2 && index == order { bag.dispose() }
                    }
                    if thread == 3 { bag.dispose() }
                }
                #expect(calls.allSatisfy { $0.value == 1 })
            }
        }
    }
}
