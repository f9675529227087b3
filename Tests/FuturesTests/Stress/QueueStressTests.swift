// Disposers, bags and queues under threads: everything once, nothing lost, never over the limit.

import Dispatch
import Futures
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite struct Disposing {
        @Test func `a disposer runs its closure once`() {
            rounds.rounds { _, _ in
                let calls = AtomicCounter()
                let disposer = Guarded<Disposer?>(Disposer { calls.up() })
                race { thread in
                    let mine = disposer.with { $0 }
                    if thread == 0 { _ = disposer.with { $0.take() } }
                    if thread != 1 { mine?.dispose() }
                }
                _ = disposer.with { $0.take() }
                #expect(calls.value == 1)
            }
        }

        @Test func `a bag that is disposed while it is filled disposes each object once`() {
            rounds.rounds { random, _ in
                let calls = (0..<30).map { _ in AtomicCounter() }
                let bag = DisposeBag()
                let order = Int(random.next() % 10)
                race { thread in
                    for index in 0..<10 where thread < 3 {
                        let counter = calls[thread * 10 + index]
                        switch index % 3 {
                        case 0: bag += { _ = counter.up() }
                        case 1: bag.innerBag() += Disposer { counter.up() }
                        default:
                            let inner = bag.innerBag()
                            inner += Disposer { counter.up() }
                            inner.dispose()
                        }
                        if thread == 2 && index == order { bag.dispose() }
                    }
                    if thread == 3 { bag.dispose() }
                }
                #expect(bag.isEmpty)
                #expect(calls.allSatisfy { $0.value == 1 })
            }
        }

        @Test func `futures that complete while their bag is disposed complete once, and leave it empty`() {
            rounds.rounds { random, _ in
                let promises = (0..<12).map { _ in Promise<Int>() }
                let calls = promises.map { _ in AtomicCounter() }
                let bag = DisposeBag()
                let disposing = random.next() % 2 == 0
                race { thread in
                    for index in 0..<4 where thread < 3 {
                        let number = thread * 4 + index
                        let future = promises[number].future.always(on: .immediate) { calls[number].up() }
                        bag += future
                        if index % 2 == 0 { promises[number].succeed(number) }
                    }
                    if thread == 3 && disposing { bag.dispose() }
                }
                if disposing {
                    #expect(bag.isEmpty)
                } else {
                    for promise in promises { promise.succeed(0) }
                    #expect(bag.isEmpty)
                    bag.dispose()
                }
                #expect(calls.allSatisfy { $0.value == 1 })
            }
        }
    }

    @Suite struct Queueing {}
}

/// Returns an operation that decrements `running` once, before it completes or its cancellation has finished, and so
/// before the next operation starts.
// It does so in a disposable, for which the turn waits in any case. The closure of a step could still be running when
// the operation is cancelled.
private func operation(_ kind: UInt64, _ number: Int, _ running: AtomicCounter) -> Future<Int> {
    guard kind != 0, kind < 4 else {
        running.down()
        return Future(number)
    }
    let future = Future<Int>(on: .immediate) { completion in
        DispatchQueue.global().async { completion(.success(number)) }
        return Disposer { running.down() }
    }
    return kind == 1 ? future.map(on: .background) { $0 } : future
}

extension ThreadStressTests.Queueing {
    @Test(arguments: [1, 3])
    func `four threads enqueue 100 000 operations each, and none is lost, run twice or over the limit`(_ limit: Int) {
        let count = scaled(100_000)
        let queue = FutureQueue(maxConcurrentCount: limit)
        let (running, excess) = (AtomicCounter(), AtomicCounter())
        let runs = (0..<4 * count).map { _ in AtomicCounter() }
        let heard = AtomicCounter()
        race { thread in
            var random = SplitMix(UInt64(thread))
            for index in 0..<count {
                let number = thread * count + index
                let kind = random.next() % 16
                queue.on(.immediate).enqueue {
                    runs[number].up()
                    if running.up() > limit { excess.up() }
                    return operation(kind, number, running)
                }.onValue(on: .immediate) { if $0 == number { heard.up() } }
            }
        }
        expectSoon { queue.isEmpty }
        #expect(excess.value == 0)
        #expect(runs.allSatisfy { $0.value == 1 })
        #expect(heard.value == runs.count)
    }
}
