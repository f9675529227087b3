// BatchLoader, LatestOperation and CircuitBreaker under threads: no call is forgotten, and nothing is kept.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct LoadingPrograms {
        @Test func `under random cancels, each caller of a loader gets the value of its key`() async {
            await runPrograms(rounds / 2) { LoadingRun(&$0) }
        }

        @Test func `under random cancels, the last of many operations completes`() async {
            await runPrograms(rounds / 2) { LatestRun(isThrottled: $0.oneIn(2)) }
        }

        @Test func `a circuit that threads use, open and close ends each call, and can be closed`() async {
            await runPrograms(rounds / 2) { BreakerRun(&$0) }
        }
    }
}

private final class LoadingRun: ThreadProgram {
    let witness = Witness()
    private let pending = Pending()
    private let loader: BatchLoader<Int, Int>

    init(_ random: inout SplitMix) {
        let maxCount = Int.random(in: 1...4, using: &random)
        let scheduler = random.pick([Scheduler.immediate, .background])
        let delay = random.pick([Duration.zero, .microseconds(10)])
        loader = BatchLoader(delay: delay, maxCount: maxCount, on: scheduler) { [witness] keys in
            if keys.isEmpty || keys.count > maxCount || Set(keys).count < keys.count { witness.complain("\(keys)") }
            let object = witness.census.make()
            return Future(on: .background) {
                object.pass(Dictionary(uniqueKeysWithValues: keys.map { ($0, 10 * $0) }))
            }
        }
    }

    func run(thread: Int, _ random: inout SplitMix) {
        for _ in 0..<10 {
            if random.oneIn(3) { pending.cancelOne(&random) }
            let key = Int.random(in: 0..<6, using: &random)
            let value = loader.load(key).onResult(on: .immediate) { [witness] in
                if $0.success != 10 * key { witness.complain("\(key): \($0)") }
            }
            if random.oneIn(4) { value.cancel() }
            pending.add(value)
        }
    }

    func finish() async {
        await witness.expect("a caller waits forever") { self.pending.isEmptied() }
        await witness.expect("something is kept") {
            "\(self.loader)" == "BatchLoader(collected: 0)" && self.witness.census.alive == 0
        }
    }
}

private final class LatestRun: ThreadProgram {
    let witness = Witness()
    private let pending = Pending()
    private let latest: LatestOperation

    init(isThrottled: Bool) {
        latest =
            isThrottled ? LatestOperation(debounce: .microseconds(5), throttle: .microseconds(20)) : LatestOperation()
    }

    func run(thread: Int, _ random: inout SplitMix) {
        for _ in 0..<10 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: pending.cancelOne(&random)
            case 1: witness.openGates()
            default:
                let (course, object) = (random.pick(Witness.Course.allCases), witness.census.make())
                let scheduler = random.pick([Scheduler.immediate, .background])
                pending.add(latest.future(on: scheduler) { [witness] in try object.pass(witness).work(course) {} })
            }
        }
    }

    func finish() async {
        let last = latest.future(on: .immediate) { Future(7) }
        await witness.expect("the last call waits") { last.isCompleted }
        if last.success != 7 { witness.complain("\(last)") }
        // All others were superseded, although no gate opens.
        await witness.expect("a call waits forever") {
        } _: {
            self.pending.isEmptied() && "\(self.latest)" == "LatestOperation(isWaiting: false, isRunning: false)"
        }
        witness.openGates()
    }
}

private final class BreakerRun: ThreadProgram {
    let witness = Witness()
    private let pending = Pending()
    private let breaker: CircuitBreaker

    init(_ random: inout SplitMix) {
        let (maxFailures, trials) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...2, using: &random))
        breaker = CircuitBreaker(
            maxFailures: maxFailures, ofLast: maxFailures + Int.random(in: 0...2, using: &random),
            resetTimeout: random.pick([.zero, .microseconds(20)]), trials: trials)
    }

    func run(thread: Int, _ random: inout SplitMix) {
        for _ in 0..<10 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: pending.cancelOne(&random)
            case 1: witness.openGates()
            case 2: random.oneIn(2) ? breaker.open() : breaker.close()
            default:
                let (course, object) = (random.pick(Witness.Course.allCases), witness.census.make())
                let scheduler = random.pick([Scheduler.immediate, .background])
                pending.add(breaker.future(on: scheduler) { [witness] in try object.pass(witness).work(course) {} })
            }
        }
    }

    func finish() async {
        await witness.expect("a call waits forever") { self.pending.isEmptied() }
        breaker.open()
        if breaker.future(on: .immediate, { Future(7) }).success != nil { witness.complain("an open circuit admits") }
        breaker.close()
        let last = breaker.future(on: .immediate) { Future(7) }
        await witness.expect("the last call waits") { last.isCompleted }
        if last.success != 7 { witness.complain("\(last)") }
        await witness.expect("something is kept") { self.witness.census.alive == 0 }
    }
}
