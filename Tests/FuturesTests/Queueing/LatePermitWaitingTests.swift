// Permits of chains that are cancelled while they wait for something else. Contract/GivingBack.md

import Futures
import FuturesTesting
import Testing

@Suite struct LatePermitWaitingTests {
    private typealias Passing = (name: String, make: (Future<Permit>) -> Future<Permit>)
    private typealias Waiting = (name: String, make: (Future<Permit>, Scheduler) -> Future<Void>)

    /// Operators that pass on a permit at once.
    private static var passing: [Passing] {
        [
            ("nothing", { $0 }), ("map", { $0.map(on: .immediate) { $0 } }),
            ("maps", { $0.map(on: .immediate) { [$0] }.map(on: .immediate) { $0[0] } }),
            ("flatMap", { $0.flatMap(on: .immediate) { Future($0) } }),
            ("onValue", { $0.onValue(on: .immediate) { _ in } }),
            ("join", { join([$0]).map(on: .immediate) { $0[0] } }),
            ("join of two", { join($0, Future(1)).map(on: .immediate) { $0.0 } }),
            ("settle", { Future.settle([$0]).map(on: .immediate) { try $0[0].get() } }),
            ("select", { select(between: [$0, .never]) }), ("firstSuccess", { Future.firstSuccess(of: [$0]) }),
            ("shielded", { $0.shieldedFromCancellation() }),
            ("onErrorRepeat", { $0.onErrorRepeat(on: .immediate, maxRepetitions: 2) }),
            ("performWhile", { $0.performWhile(on: .immediate) { NilDisposer() } }),
        ]
    }

    /// Chains that have the permit, and then wait for something else.
    private static var waiting: [Waiting] {
        [
            ("delay", { $0.delay(by: .seconds(9), on: $1).map(on: .immediate) { $0.release() } }),
            (
                "flatMap",
                { permit, _ in
                    permit.flatMap(on: .immediate) { permit in
                        Future<Int>.never.map(on: .immediate) { _ in permit.release() }
                    }
                }
            ),
            (
                "flatMap",
                { permit, time in
                    permit.flatMap(on: .immediate) { permit in
                        Future(1).delay(by: .seconds(9), on: time).map(on: .immediate) { _ in permit.release() }
                    }
                }
            ),
            ("join", { permit, _ in join(permit, Future<Int>.never).map(on: .immediate) { $0.0.release() } }),
        ]
    }

    @Test(arguments: [false, true], [false, true])
    func `a permit goes back from a cancelled step that waits for something else`(
        isGrantedLater: Bool, isReleasedFirst: Bool
    ) async throws {
        let time = VirtualTime()
        var chains: [(name: String, mutex: FutureMutex, lock: Shared<Future<Permit>?>, chain: Future<Void>)] = []
        for passing in Self.passing {
            for waiting in Self.waiting {
                let mutex = FutureMutex()
                let first = isGrantedLater ? mutex.acquire().success : nil
                // A variable keeps the permit's future for a moment.
                let lock = Shared<Future<Permit>?>(mutex.acquire())
                let chain = waiting.make(passing.make(lock.value!), time.scheduler)
                first?.release()
                chains.append(("\(passing.name), then \(waiting.name)", mutex, lock, chain))
            }
        }
        time.advance(by: .zero)
        for (name, mutex, lock, chain) in chains {
            #expect(!mutex.isEmpty && !chain.isCompleted, "\(name)")
            if isReleasedFirst { lock.value = nil }
            chain.cancel()
            lock.value = nil
        }
        time.advance(by: .zero)
        // One is enough, as each takes a minute.
        for (name, mutex, _, _) in chains { try #require(await comesTrue { mutex.isEmpty }, "\(name)") }
        withExtendedLifetime(chains) {}
    }

    @Test func `a permit goes back from a chain that is cancelled while its future settles`() async throws {
        let time = VirtualTime()
        let policy = RetryPolicy(.constant(.seconds(1)), timeLimit: .seconds(9))
        let others: [Passing] = [
            ("retry", { $0.retry(policy, on: time.scheduler) }),
            ("hedged", { $0.hedged(after: .seconds(9), on: time.scheduler) }),
            ("timeout", { $0.timeout(after: .seconds(9), on: time.scheduler) }),
            ("abort", { $0.abort(forFutures: [Future<Int>.never]) }),
            (
                "performWhile twice",
                {
                    $0.performWhile(on: .immediate) { NilDisposer() }.performWhile(on: .immediate) { NilDisposer() }
                }
            ),
        ]
        for passing in Self.passing.dropFirst() + others {
            let mutex = FutureMutex()
            let chain = Shared<Future<Permit>?>(nil)
            func run() {
                let completion = Shared<Future<Permit>.Completion?>(nil)
                let source = Future<Permit>(on: .immediate) {
                    completion.value = $0
                    return Disposer { chain.value?.cancel() }
                }
                chain.value = passing.make(source)
                completion.value?(.success(mutex.acquire().success!))
                completion.value = nil
            }
            run()
            try #require(await comesTrue { mutex.isEmpty }, "\(passing.name)")
            #expect(chain.value?.isCancelled == true, "\(passing.name)")
        }
    }
}
