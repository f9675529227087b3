// Permits of chains that are cancelled before they have received them. Contract/GivingBack.md

import Futures
import FuturesTesting
import Testing

@Suite struct LatePermitTests {
    @Test func `a permit that comes too late for a cancelled chain goes back, though the chain is kept`() {
        let time = VirtualTime()
        let (semaphore, mutex, lock) = (FutureSemaphore(count: 1), FutureMutex(), FutureReadWriteLock())
        let ways: [(acquire: @Sendable () -> Future<Permit>, next: @Sendable () -> Future<Permit>)] = [
            ({ semaphore.acquire() }, { semaphore.acquire() }), ({ mutex.acquire() }, { mutex.acquire() }),
            ({ lock.reading.acquire() }, { lock.writing.acquire() }),
            ({ lock.writing.acquire() }, { lock.reading.acquire() }),
        ]
        for way in ways {
            let chains = [
                way.acquire().flatMap(on: time.scheduler) { _ in Future(1).delay(by: .seconds(9), on: time.scheduler) }
                    .timeout(after: .seconds(1), on: .immediate)
            ]
            chains[0].cancel()
            // The scheduler was busy until now.
            time.advance(by: .zero)
            let next = way.next()
            #expect(next.isCompleted)
            next.success?.release()
            withExtendedLifetime(chains) {}
        }
    }

    @Test func `a retry does not wait for a permit that came too late for the run before`() {
        let (worker, clock) = (VirtualTime(), VirtualTime())
        let semaphore = FutureSemaphore(count: 1)
        let count = AtomicCounter()
        let future = semaphore.acquire()
            .flatMap(on: worker.scheduler) { permit in
                count.up()
                return Future(1).always(on: .immediate) { permit.release() }
            }
            .timeout(after: .seconds(1), on: clock.scheduler).onErrorRepeat(on: clock.scheduler)
        clock.advance(by: .seconds(1))
        #expect(count.value == 0 && !future.isCompleted)
        // The worker was busy until now.
        worker.advance(by: .zero)
        #expect(future.success == 1)
        #expect(count.value == 1)
        #expect(semaphore.acquire().isCompleted)
    }

    /// Chains that pass on a permit to `worker`, by one operator each, written in one expression.
    static func chains(
        _ acquire: @escaping @Sendable () -> Future<Permit>, _ worker: Scheduler
    ) -> [(name: String, future: Future<Void>)] {
        @Sendable func later<T>(_ value: T) -> Future<T> { Future(1).map(on: worker) { _ in value } }
        return [
            ("map", acquire().map(on: worker) { $0.release() }),
            (
                "maps",
                acquire().map(on: .immediate) { [$0] }.map(on: .immediate) { $0[0] }.map(on: worker) { $0.release() }
            ),
            ("join", join(acquire(), Future(1)).map(on: worker) { $0.0.release() }),
            ("join of an array", join([acquire()]).map(on: worker) { $0[0].release() }),
            ("join of a chain", join([acquire().map(on: .immediate) { [$0] }]).map(on: worker) { $0[0][0].release() }),
            ("nested join", join([join([acquire()])]).map(on: worker) { $0[0][0].release() }),
            ("join, map", join([acquire()]).map(on: .immediate) { $0 }.map(on: worker) { $0[0].release() }),
            ("settle", Future.settle([acquire()]).map(on: worker) { try $0[0].get().release() }),
            ("select", select(acquire(), or: Future<Permit>.never).map(on: worker) { $0.any.release() }),
            ("firstSuccess", Future.firstSuccess(of: [acquire()]).map(on: worker) { $0.release() }),
            ("performWhile", acquire().performWhile(on: .immediate) { NilDisposer() }.map(on: worker) { $0.release() }),
            ("timeout", acquire().timeout(after: .seconds(9), on: worker).map(on: worker) { $0.release() }),
            ("delay", acquire().delay(by: .seconds(9), on: worker).map(on: .immediate) { $0.release() }),
            (
                "flatMap",
                acquire().flatMap(on: .immediate) { permit in later(1).map(on: worker) { _ in permit.release() } }
            ),
            (
                "flatMap, map",
                acquire().flatMap(on: .immediate) { permit in later(permit) }.map(on: worker) { $0.release() }
            ),
            ("flatMapError", acquire().flatMapError(on: .immediate) { _ in .never }.map(on: worker) { $0.release() }),
            ("inner", Future().flatMap(on: .immediate) { acquire() }.map(on: worker) { $0.release() }),
            (
                "operation",
                FutureQueue().on(.immediate).enqueue { acquire() }.map(on: worker) { $0.release() }
            ),
            ("repetition", acquire().onErrorRepeat(on: .immediate, maxRepetitions: 2).map(on: worker) { $0.release() }),
        ]
    }

    @Test(arguments: [false, true])
    func `a permit of a cancelled chain goes back, whatever has passed it on`(isTaken: Bool) {
        let time = VirtualTime()
        let mutexes = Log<FutureMutex>()
        let taken = Log<Permit>()
        let chains = Self.chains(
            {
                let mutex = FutureMutex()
                mutexes.add(mutex)
                if isTaken { taken.add(mutex.acquire().success!) }
                return mutex.acquire()
            }, time.scheduler)
        for permit in taken.entries { permit.release() }
        for (chain, mutex) in zip(chains, mutexes.entries) {
            #expect(!mutex.isEmpty, "\(chain.name)")
            chain.future.cancel()
        }
        // The scheduler was busy until now.
        time.advance(by: .zero)
        for (chain, mutex) in zip(chains, mutexes.entries) { #expect(mutex.isEmpty, "\(chain.name)") }
        withExtendedLifetime(chains) {}
    }

    @Test func `a retry takes two locks that were granted too late for the run before`() {
        let (worker, clock) = (VirtualTime(), VirtualTime())
        let (a, b) = (FutureMutex(), FutureMutex())
        let future = join(a.acquire(), b.acquire())
            .map(on: worker.scheduler) { permits in
                permits.0.release()
                permits.1.release()
                return 1
            }
            .timeout(after: .seconds(1), on: clock.scheduler).onErrorRepeat(on: clock.scheduler)
        clock.advance(by: .seconds(1))
        #expect(!future.isCompleted)
        worker.advance(by: .zero)
        #expect(future.success == 1)
        #expect(a.isEmpty && b.isEmpty)
    }

    @Test func `the permit of the future that lost goes back once the winner's value is passed on`() async {
        // A millisecond after `select`, the timers' thread looks for permits, too. If it has just taken this one, the
        // permit goes back a moment later, from another thread. That does not happen in each of many attempts.
        var isImmediate = false
        for _ in 0..<100 where !isImmediate {
            let (a, b) = (FutureMutex(), FutureMutex())
            let time = VirtualTime()
            let future = select(between: [a.acquire(), b.acquire()]).map(on: time.scheduler) { $0.release() }
            time.advance(by: .zero)
            #expect(future.isCompleted && a.isEmpty)
            isImmediate = b.isEmpty
            #expect(await comesTrue { b.isEmpty })
            withExtendedLifetime(future) {}
        }
        #expect(isImmediate)
    }

    @Test func `a permit goes back soon after the last other reference to its future is gone`() async {
        let time = VirtualTime()
        let mutex = FutureMutex()
        let variable = Shared<Future<Permit>?>(mutex.acquire())
        let chain = variable.value!.map(on: time.scheduler) { $0.release() }
        chain.cancel()
        time.advance(by: .zero)
        #expect(!mutex.isEmpty)
        variable.value = nil
        #expect(await comesTrue { mutex.isEmpty })
        withExtendedLifetime(chain) {}
    }

    private typealias Losing = (name: String, make: (Future<Permit>) -> Future<Void>)

    /// Futures that pass on no permit, though one is granted at once.
    private static func losers(_ time: VirtualTime) -> [Losing] {
        func limited<T>(_ future: Future<T>) -> Future<Void> {
            join(future, Future<Int>.never).timeout(after: .seconds(1), on: time.scheduler).asVoid()
        }
        func beaten<T>(_ future: Future<T>) -> Future<Void> {
            select(Future(1), or: future).map(on: time.scheduler) { _ in }
        }
        func failed<T>(_ future: Future<T>) -> Future<Void> {
            join(future, Future<Int>(error: Oops())).map(on: time.scheduler) { _ in }
        }
        return [
            ("beaten", { beaten($0) }), ("beaten map", { beaten($0.map(on: .immediate) { $0 }) }),
            ("beaten join", { beaten(join($0, Future(1))) }),
            ("beaten timeout", { beaten($0.timeout(after: .seconds(9), on: time.scheduler)) }),
            ("beaten, void", { Future.firstSuccess(of: [Future(), $0.map(on: .immediate) { _ in }]) }),
            ("beaten, two steps", { beaten($0.asVoid().asVoid()) }),
            ("failed, two steps", { failed($0.asVoid().asVoid()) }),
            ("failed", { failed($0) }), ("failed map", { failed($0.map(on: .immediate) { $0 }) }),
            ("failed join", { failed(join($0, Future(1))) }), ("limited", { limited($0) }),
            ("limited map", { limited($0.map(on: .immediate) { $0 }) }),
            ("limited join", { limited(join($0, Future(1))) }),
            ("none of one", { Future.first(0, of: [$0]).asVoid() }),
        ]
    }

    @Test func `the permits of futures that lost, or whose combination failed, go back, whatever has passed them on`()
        async
    {
        let time = VirtualTime()
        let chains = Self.losers(time).map { loser in
            let mutex = FutureMutex()
            // A variable keeps the permit's future for a moment.
            let variable = Shared<Future<Permit>?>(mutex.acquire())
            return (loser.name, mutex, variable, loser.make(variable.value!))
        }
        time.advance(by: .seconds(1))
        for (_, mutex, variable, chain) in chains {
            #expect(chain.isCompleted && !mutex.isEmpty)
            variable.value = nil
        }
        for (name, mutex, _, _) in chains { #expect(await comesTrue { mutex.isEmpty }, "\(name)") }
        withExtendedLifetime(chains) {}
    }

    @Test func `the permit of a first run goes back when the second run wins`() async {
        let semaphore = FutureSemaphore(count: 2)
        let (one, two) = (semaphore.acquire().success!, semaphore.acquire().success!)
        let variable = Shared<Future<Permit>?>(semaphore.acquire())
        variable.value!.onValue(on: .immediate) { _ in two.release() }
        let hedged = variable.value!.hedged(after: .zero, on: .immediate)
        #expect(semaphore.waitingCount == 2)
        one.release()
        #expect(hedged.isCompleted && semaphore.runningCount == 2)
        variable.value = nil
        #expect(await comesTrue { semaphore.runningCount == 1 })
        withExtendedLifetime(hedged) {}
    }

    @Test func `a permit goes back from a cancelled step that other futures only pass on`() {
        let mutex = FutureMutex()
        let inner = Shared<Future<Int>?>(mutex.acquire().flatMap(on: .immediate) { _ in stoppable {} })
        let chain = Future().flatMap(on: .immediate) { inner.value! }
        chain.cancel()
        #expect(mutex.isEmpty)
        withExtendedLifetime((inner, chain)) {}
    }

    @Test func `a retry does not wait for a permit that the run before has dropped`() {
        let mutex = FutureMutex()
        let count = AtomicCounter()
        let future = mutex.acquire().map(on: .immediate) { permit in
            if count.up() < 3 { throw Oops() }
            permit.release()
        }.onErrorRepeat(on: .immediate, maxRepetitions: 5)
        #expect(future.isCompleted && future.error == nil)
        #expect(count.value == 3 && mutex.isEmpty)
    }

    @Test func `a retry does not wait for a permit of the run before that a variable has kept for a moment`() async {
        let mutex = FutureMutex()
        let variable = Shared<Future<Permit>?>(mutex.acquire())
        let count = AtomicCounter()
        let future = variable.value!.map(on: .immediate) { permit in
            if count.up() < 2 { throw Oops() }
            permit.release()
        }.onErrorRepeat(on: .immediate, maxRepetitions: 5)
        #expect(!future.isCompleted)
        variable.value = nil
        #expect(await comesTrue { future.isCompleted })
        #expect(future.error == nil && count.value == 2 && mutex.isEmpty)
    }
}
