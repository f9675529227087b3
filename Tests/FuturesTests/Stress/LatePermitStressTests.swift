// Permits that are granted while their chains are cancelled. Contract/GivingBack.md

import Futures
import FuturesTesting
import Testing

extension ThreadStressTests {
    @Suite struct LatePermits {
        @Test(arguments: [false, true])
        func `a chain that is cancelled while its permit is granted or passed on keeps no permit`(isTaken: Bool) async {
            var random = SplitMix(7)
            for _ in 0..<rounds {
                let (worker, gate) = (Scheduler(label: "worker"), Signal())
                worker.async { _ = gate.comes() }
                let (mutexes, taken) = (Log<FutureMutex>(), Log<Permit>())
                let chains = LatePermitTests.chains(
                    {
                        let mutex = FutureMutex()
                        mutexes.add(mutex)
                        if isTaken { taken.add(mutex.acquire().success!) }
                        return mutex.acquire()
                    }, worker)
                let permits = taken.entries
                // The threads begin at the same chain, or at different ones.
                let start = random.oneIn(2) ? 0 : Int.random(in: 0..<chains.count, using: &random)
                if !isTaken { gate.send() }
                race(2) { thread in
                    for index in chains.indices {
                        if thread == 0 {
                            chains[(start + index) % chains.count].future.cancel()
                        } else if isTaken {
                            permits[index].release()
                            if index == chains.count / 2 { gate.send() }
                        }
                    }
                }
                for (chain, mutex) in zip(chains, mutexes.entries) {
                    #expect(await comesTrue { mutex.isEmpty }, "\(chain.name)")
                }
                withExtendedLifetime(chains) {}
            }
        }

        @Test func `chains can be released while what they have left is looked for`() {
            let tally = Tally()
            rounds.rounds { random, _ in
                let lost = (0..<100).map { _ in Future(1).map(on: .immediate) { _ in tally.token() } }
                // The first attempt comes after a millisecond, on another thread, and takes a part of one.
                let end = ContinuousClock.now + .microseconds(Int.random(in: 900...2400, using: &random))
                let owner = random.oneIn(2) ? select(between: lost) : cancelled(lost[0])
                while ContinuousClock.now < end {}
                withExtendedLifetime(owner) {}
                withExtendedLifetime(lost) {}
            }
            expectSoon { tally.count == 0 }
        }

        /// A chain that has been cancelled before it could receive the value of `future`.
        private func cancelled<T>(_ future: Future<T>) -> Future<T> {
            let time = VirtualTime()
            let chain = future.map(on: .immediate) { $0 }.map(on: time.scheduler) { $0 }
            chain.cancel()
            time.advance(by: .zero)
            return chain
        }
    }
}
