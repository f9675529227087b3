// Releases during a deallocation happen in time, also in nested deallocations. Contract/Memory.md

import Dispatch
import Futures
import Testing

@Suite struct DeferredReleasesTests {
    @Test func `objects that a closure releases during a deallocation are released before the closure continues`() {
        let (census, log) = (Census(), Log<Int>())
        // Deallocated from a bag, a future, a disposer and a queue.
        let makers: [(Disposer) -> any Sendable] = [
            { DisposeBag($0) },
            { disposer in Future(1).map(on: .immediate) { number in withExtendedLifetime(disposer) { number } } },
            { disposer in Disposer { withExtendedLifetime(disposer) {} } },
            { FutureQueue(resource: $0) },
        ]
        for make in makers {
            let other = Shared<Future<Census.Counted>?>(Future(census.make()))
            var object: (any Sendable)? = make(
                Disposer {
                    other.value = nil
                    log.add(census.alive)
                })
            #expect(census.alive == 1)
            object = nil
            #expect(object == nil && census.alive == 0)
        }
        #expect(log.entries == [0, 0, 0, 0])
    }

    @Test func `a dispose that a bag's deallocation calls may wait for the objects that it released`() {
        /// No disposer of the library's.
        struct Waiting: Disposable {
            let semaphore = FutureSemaphore(count: 1)
            let permit: Shared<Future<Permit>?>
            let log: Log<Bool>

            init(_ log: Log<Bool>) {
                permit = Shared(semaphore.acquire())
                self.log = log
            }

            func dispose() {
                permit.value = nil
                // Whoever waits for the permit on another thread has it now.
                log.add(onAnotherThread { _ = try? semaphore.acquire().wait(timeout: .seconds(5)) })
                log.add(semaphore.waitingCount == 0)
            }
        }
        let log = Log<Bool>()
        var outer: DisposeBag? = DisposeBag(Waiting(log))
        outer = nil
        #expect(outer == nil && log.entries == [true, true])
    }

    @Test(arguments: nestings)
    func `a deallocation that abandons a promise releases what the promise's listeners retain, at any nesting depth`(
        depth: Int
    ) {
        let (census, semaphore) = (Census(), FutureSemaphore(count: 1))
        func wide() -> Future<Census.Counted> {
            let all = (0..<50).map { _ in Future(census.make()) }
            return Future(census.make()).map(on: .immediate) { [all] value in withExtendedLifetime(all) { value } }
        }
        /// A chain that never completes, and that alone holds a promise with listeners.
        func chain() -> Future<Int> {
            let (promise, permit) = (Promise<Int>(), semaphore.acquire())
            _ = promise.future.map(on: .immediate) { [a = wide(), b = wide(), permit] number in
                withExtendedLifetime((a, b, permit)) { number }
            }
            return Future<Int>.never.map(on: .immediate) { [promise] number in
                promise.succeed(number)
                return number
            }
        }
        for _ in 0..<3 {
            let kept = Shared<Future<Int>?>(chain())
            #expect(census.alive > 0)
            nest(depth) { kept.value = nil }
            #expect(census.alive == 0)
            #expect(semaphore.takenCount == 0)
        }
    }

    @Test func `user closures that are called in a deallocation do not nest, however many there are`() {
        let count = 20_000
        let done = onAnotherThread(stackSize: smallStack) {
            let census = Census()
            let disposers = (0..<count).map { _ in
                let other = Shared<Future<Census.Counted>?>(Future(census.make()))
                // Each releases something by a loop of its own, which must leave alone what the outer loop has.
                return Future<Disposer>(Disposer { other.value = nil })
            }
            let promise = Promise<Int>()
            var object: Future<Int>? = promise.future.map(on: .immediate) { number in
                withExtendedLifetime(disposers) { number }
            }
            #expect(census.alive == count && object != nil)
            object?.cancel()
            object = nil
        }
        #expect(done)
    }
}
