// Locks: none is held while user code runs. Contract/Life.md

import Futures
import Testing

/// Another thread uses the future from within user code, which waits for that thread. With a lock held, it would
/// deadlock. ReentrancyTests do so in all other places, and with bags and queues.
@Suite struct LockTests {
    @Test func `no lock is held while a callback runs`() {
        let promise = Promise<Int>()
        let passed = Shared(0)
        let first = promise.future.onValue(on: .immediate) { _ in
            if onAnotherThread({ use(promise) }) { passed.increment() }
        }
        first.map(on: .immediate) { _ in
            if onAnotherThread({
                use(promise); first.onResult { _ in }.cancel()
            }) {
                passed.increment()
            }
        }.always(on: .immediate) {
            if onAnotherThread({ use(promise) }) { passed.increment() }
        }
        promise.succeed(1)
        #expect(passed.value == 3)
    }
}

/// Calls every method of a promise and its future that takes a lock.
private func use(_ promise: Promise<Int>) {
    let future = promise.future
    future.onResult(on: .immediate) { _ in }.cancel()
    let bag = DisposeBag()
    bag += future.map(on: .immediate) { $0 }
    bag.dispose()
    promise.succeed(0)
    _ = future.result
    future.cancel()
}
