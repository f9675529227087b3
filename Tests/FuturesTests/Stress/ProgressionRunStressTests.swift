// Runs of progressions under threads: cancelled, ended by observers, and added to lines. Contract/Progressing.md

import Dispatch
import Foundation
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct ProgressionRuns {
        /// How a stage reaches the next one.
        enum Way: CaseIterable {
            case inPlace, subroutine, hopping, resolved, inside
        }

        private struct Stage: Progression {
            let way: Way
            let begun: AtomicCounter
            let token: Tally.Token
            var result: Int? { nil }

            func next() -> Deferred<Stage> {
                switch way {
                case .inPlace, .subroutine: Deferred { advanced() }
                case .hopping: Deferred(on: .userInitiated) { advanced() }.map { $0 }
                case .resolved:
                    Deferred.future { resolve in
                        begun.up()
                        DispatchQueue.global().async { resolve { self } }
                    }
                case .inside:
                    Stage(way: .subroutine, begun: begun, token: token).compose(
                        transformNext: { _ in self }, transformResult: { (_: Int) -> Stage in self })
                }
            }

            func advanced() -> Stage {
                begun.up()
                return self
            }
        }

        private struct Walk: SteppingProgression {
            let begun: AtomicCounter
            let token: Tally.Token
            var result: Int? { nil }
            mutating func step() { begun.up() }
        }

        /// Starts an endless run.
        private func begin(
            _ way: Way, on scheduler: Scheduler, _ begun: AtomicCounter, _ tally: Tally,
            ask: (@Sendable () -> Bool)? = nil
        ) -> Future<Int> {
            guard way != .inPlace else {
                return begin(Walk(begun: begun, token: tally.token()), on: scheduler, ask)
            }
            return begin(Stage(way: way, begun: begun, token: tally.token()), on: scheduler, ask)
        }

        private func begin<Stage: Progression>(
            _ stage: Stage, on scheduler: Scheduler, _ ask: (@Sendable () -> Bool)?
        ) -> Future<Int> where Stage.Result == Int {
            guard let ask else { return stage.run(on: scheduler) }
            return stage.run(on: scheduler) { _ in ask() }
        }

        @Test(arguments: [Way.inPlace, .subroutine], [false, true])
        func `after a cancel no stage starts in place, except one that was already starting`(
            _ way: Way, _ isOnLine: Bool
        ) {
            let schedulers = [Scheduler.utility, Scheduler(label: "serial")]
            (rounds / 4).rounds { random, round in
                let (begun, tally) = (AtomicCounter(), Tally())
                let enough = Int(random.next() % 200)
                let (serial, scheduler) = (Serial(), schedulers[round % 2])
                var run: Future<Int>? =
                    switch (isOnLine, way) {
                    case (false, _): begin(way, on: scheduler, begun, tally)
                    case (true, .inPlace):
                        ProductionLine(maxConcurrentCount: 1, on: scheduler)
                            .enqueue(Walk(begun: begun, token: tally.token()))
                    case (true, _):
                        Stage(way: way, begun: begun, token: tally.token()).serially(on: serial).start(on: scheduler)
                    }
                expectSoon { begun.value >= enough }
                run?.cancel()
                let atCancel = begun.value
                #expect(run?.isCancelled == true)
                run = nil
                expectSoon { tally.count == 0 }
                #expect(begun.value <= atCancel + 1)
            }
        }

        @Test(arguments: Way.allCases)
        func `a cancelled run ends and releases its stage`(_ way: Way) {
            (rounds / 4).rounds { random, _ in
                let (begun, tally) = (AtomicCounter(), Tally())
                let enough = Int(random.next() % 100)
                let run = Guarded<Future<Int>?>(begin(way, on: .utility, begun, tally))
                expectSoon { begun.value >= enough }
                race(2) { _ in run.with { $0 }?.cancel() }
                #expect(run.with { $0.take() }?.isCancelled == true)
                expectSoon { tally.count == 0 }
            }
        }

        @Test(arguments: Way.allCases)
        func `no stage starts after an observer has ended the run, even if a cancel races with it`(_ way: Way) {
            (rounds / 4).rounds { random, _ in
                let (begun, tally, vetoes, late) = (AtomicCounter(), Tally(), AtomicCounter(), AtomicCounter())
                let enough = Int(random.next() % 100)
                let atVeto = AtomicCounter()
                let run = Guarded<Future<Int>?>(nil)
                let isCancelling = random.next() % 2 == 0
                race(2) { thread in
                    if thread == 0 {
                        let future = begin(way, on: .utility, begun, tally) {
                            if vetoes.value > 0 { late.up() }
                            guard begun.value >= enough else { return true }
                            for _ in 0..<begun.value { atVeto.up() }
                            vetoes.up()
                            return false
                        }
                        run.with { $0 = future }
                    } else if isCancelling {
                        expectSoon { begun.value >= enough }
                        run.with { $0 }?.cancel()
                    }
                }
                expectSoon { run.with { $0?.isCancelled == true } }
                _ = run.with { $0.take() }
                expectSoon { tally.count == 0 }
                #expect(late.value == 0)
                #expect(vetoes.value == 0 && isCancelling || vetoes.value == 1 && begun.value == atVeto.value)
            }
        }

        /// A single operation that completes on another thread, or every third time in place, and counts those that run
        /// concurrently.
        private struct Errand: Progression {
            let number: Int
            let running: AtomicCounter
            let excess: AtomicCounter
            let runs: [AtomicCounter]
            let limit: Int
            var result: Int?

            private func begin() {
                runs[number].up()
                if running.up() > limit { excess.up() }
            }

            func next() -> Deferred<Errand> {
                guard number % 3 > 0 else {
                    return Deferred {}.map {
                        begin()
                        for _ in 0..<number { sched_yield() }
                        running.down()
                        var next = self
                        next.result = number
                        return next
                    }
                }
                return Deferred.operation { completion in
                    begin()
                    DispatchQueue.global().async {
                        var next = self
                        next.result = number
                        completion(.success(next))
                    }
                    return Disposer { running.down() }
                }
            }
        }

        @Test(arguments: [1, 3])
        func `each listener of a line is called once for each result, the same as that of its future`(_ limit: Int) {
            (rounds / 10).rounds { random, round in
                let line = ProductionLine<Errand>(maxConcurrentCount: limit, on: round % 2 == 0 ? .immediate : .utility)
                let (running, excess, lateCalls) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
                let runs = (0..<40).map { _ in AtomicCounter() }
                let heard = (0..<2).map { _ in Guarded<[Int]>([]) }
                let listening = heard.map { list in
                    line.onResult { result in
                        if let number = try? result.get() { list.with { $0.append(number) } }
                    }
                }
                let ends = Guarded<[Future<Int>?]>(Array(repeating: nil, count: 40))
                let seed = random.next()
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for number in (thread * 10)..<(thread * 10 + 10) {
                        let end = line.enqueue(
                            Errand(number: number, running: running, excess: excess, runs: runs, limit: limit))
                        ends.with { $0[number] = end }
                        let passing = line.onResult { _ in lateCalls.up() }
                        switch random.next() % 8 {
                        case 0: ends.with { $0.compactMap { $0 }.randomElement(using: &random) }?.cancel()
                        case 1: line.pause()
                        case 2: line.resume()
                        default: break
                        }
                        passing.dispose()
                    }
                }
                line.resume()
                expectSoon { ends.with { $0.allSatisfy { $0?.isCompleted == true } } && line.drained().isCompleted }
                // A cancelled run may be starting right now.
                expectSoon { running.value == 0 }
                let late = lateCalls.value
                let values = ends.with { $0.compactMap { $0?.success } }
                #expect(excess.value == 0)
                #expect(runs.allSatisfy { $0.value <= 1 })
                for list in heard {
                    let list = list.with { $0 }
                    #expect(Set(list).count == list.count, "each once")
                    #expect(Set(values) == Set(list), "nothing is heard of those that were cancelled")
                }
                for (number, end) in ends.with({ $0 }).enumerated() {
                    #expect(end?.success == number && runs[number].value == 1 || end?.isCancelled == true)
                }
                line.enqueue(Errand(number: 0, running: running, excess: excess, runs: runs, limit: limit))
                expectSoon { line.drained().isCompleted }
                #expect(lateCalls.value == late)
                for listening in listening { listening.dispose() }
            }
        }

        @Test func `runs on a Serial never run concurrently, whatever is cancelled`() {
            (rounds / 10).rounds { random, _ in
                let serial = Serial()
                let (running, excess) = (AtomicCounter(), AtomicCounter())
                let runs = (0..<40).map { _ in AtomicCounter() }
                let seed = random.next()
                let ends = Guarded<[Future<Int>]>([])
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for number in (thread * 10)..<(thread * 10 + 10) {
                        let errand = Errand(number: number, running: running, excess: excess, runs: runs, limit: 1)
                        let end = errand.serially(on: serial).start(on: thread % 2 == 0 ? .immediate : .utility)
                        ends.with { $0.append(end) }
                        if random.next() % 3 == 0 { ends.with { $0.randomElement(using: &random) }?.cancel() }
                    }
                }
                expectSoon { ends.with { $0.allSatisfy { $0.isCompleted } } && running.value == 0 }
                #expect(excess.value == 0)
                #expect(runs.allSatisfy { $0.value <= 1 })
                let values = ends.with { $0.compactMap { $0.success } }
                #expect(Set(values).count == values.count)
                #expect(ends.with { $0.allSatisfy { $0.success != nil || $0.isCancelled } })
            }
        }
    }
}
