// onValueRepeat, onResultRepeat, repeatAndCollect. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

/// Returns an operation that succeeds with the number of its run, and fails in the runs in `failing`.
private func counting(_ runs: Shared<Int>, failing: Set<Int> = []) -> Future<Int> {
    Future(on: .immediate) { completion in
        let run = runs.increment()
        completion(failing.contains(run) ? .failure(Oops(run)) : .success(run))
        return NilDisposer()
    }
}

@Suite struct FutureOnValueRepeatTests {
    private let runs = Shared(0)

    @Test func `a value is repeated while the predicate returns true, and the last one is passed on`() {
        let future = counting(runs).map(on: .immediate) { $0 * 10 }.onValueRepeat(on: .immediate) { $0 < 50 }
        #expect(future.success == 50)
        let asked = counting(runs).onValueRepeat(on: .immediate) { value -> Future<Bool> in Future(value < 9) }
        #expect(asked.success == 9)
    }

    @Test(arguments: 0...3) func `maxRepetitions limits the runs of all repeating operators`(
        maximum: Int
    ) {
        #expect(
            counting(runs).onValueRepeat(on: .immediate, maxRepetitions: maximum) { _ in true }.success == maximum + 1)
        runs.value = 0
        let results = counting(runs, failing: [1, 3]).onResultRepeat(on: .immediate, maxRepetitions: maximum) { _ in
            true
        }
        #expect(results.isCompleted)
        #expect(runs.value == maximum + 1)
        runs.value = 0
        let values = counting(runs).repeatAndCollect(on: .immediate, maxRepetitions: maximum) { _ in true }
        #expect(values.success == Array(1...maximum + 1))
    }

    @Test func `a repetition does not retain the results that it has passed on`() {
        let census = Census()
        let gate = Promise<Void>()
        let last = gate.future.map(on: .immediate) { census.make() }
            .onErrorRepeat(on: .immediate) { _ in true }
            .onValueRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
            .onResultRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
            .map(on: .immediate) { _ in 1 }
        gate.succeed()
        #expect(last.success == 1)
        #expect(census.alive == 0)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a repetition without a predicate is delayed by the clock of the scheduler that it is given`(_ kind: Int) {
        let time = VirtualTime()
        let (delay, once) = (Duration.seconds(10), 1)
        let end: Future<Void> =
            switch kind {
            case 0:
                counting(runs, failing: [1]).onErrorRepeat(on: time.scheduler, delayBetweenRepetitions: delay).asVoid()
            case 1:
                counting(runs).onValueRepeat(
                    on: time.scheduler, delayBetweenRepetitions: delay, maxRepetitions: once
                ).asVoid()
            case 2:
                counting(runs, failing: [2]).onResultRepeat(
                    on: time.scheduler, delayBetweenRepetitions: delay, maxRepetitions: once
                ).recover(on: .immediate) { _ in 0 }.asVoid()
            default:
                counting(runs).repeatAndCollect(
                    on: time.scheduler, delayBetweenRepetitions: delay, maxRepetitions: once
                ).asVoid()
            }
        time.advance(by: .seconds(9))
        #expect(runs.value == 1 && !end.isCompleted)
        time.advance(by: .seconds(1))
        #expect(runs.value == 2 && end.isCompleted)
        #expect(time.pendingCount == 0)
    }

    @Test func `onValueRepeat without a predicate continues until an error or a cancel`() {
        let time = VirtualTime()
        time.scheduler.async {
            let poll = counting(self.runs, failing: [4]).onValueRepeat(delayBetweenRepetitions: .seconds(1))
            poll.onError { _ in self.runs.value = 100 }
            let other = counting(Shared(0)).onResultRepeat(delayBetweenRepetitions: .seconds(1))
            time.scheduler.async(after: .seconds(60)) { other.cancel() }
        }
        time.advance(by: .seconds(3))
        #expect(runs.value == 100)
        #expect(time.pendingCount > 0)
        time.advance(by: .seconds(60))
        #expect(time.pendingCount == 0)
    }

    @Test func `onResultRepeat repeats values and errors`() {
        let future = counting(runs, failing: [1, 2, 4]).onResultRepeat(on: .immediate) { result in
            (try? result.get()) != 5
        }
        #expect(future.success == 5)
        let asked = counting(runs, failing: [6, 8]).onResultRepeat(on: .immediate) { result -> Future<Bool> in
            Future(((try? result.get()) ?? 0) != 9)
        }
        #expect(asked.success == 9)
    }

    @Test @MainActor func `predicates of all repeating operators are called where they were attached`() async {
        var calls = 0
        let number = Future(on: .background, immediate: { self.runs.increment() })
        let last =
            number
            .onValueRepeat { value in
                calls += 1
                return value < 3
            }
            .onResultRepeat { _ in
                calls += 1
                return Future(false)
            }
        #expect((try? await last.arrival().get()) == 3)
        #expect(calls == 4)
        let all = number.repeatAndCollect { _ in
            calls += 1
            return false
        }
        #expect((try? await all.arrival().get())?.count == 1)
        #expect(calls == 5)
    }
}

extension FutureOnValueRepeatTests {
    @Test func `repeatAndCollect has the values of all runs`() {
        #expect(counting(runs).repeatAndCollect(on: .immediate) { $0 < 4 }.success == [1, 2, 3, 4])
        let asked = counting(runs).repeatAndCollect(on: .immediate) { value -> Future<Bool> in Future(value < 6) }
        #expect(asked.success == [5, 6])
        let threw = counting(runs).repeatAndCollect(on: .immediate) { value -> Bool in
            if value == 9 { throw Oops() }
            return true
        }
        #expect(threw.success == [7, 8, 9])
    }

    @Test func `the first error ends a repeatAndCollect and releases its values`() {
        let census = Census()
        let runs = runs
        let gate = Promise<Void>()
        let future = gate.future.flatMap(on: .immediate) { counting(runs, failing: [4]) }
            .map(on: .immediate) { _ in census.make() }
            .repeatAndCollect(on: .immediate) { _ in true }
        gate.succeed()
        #expect(future.error as? Oops == Oops(4))
        #expect(census.alive == 0)
        #expect(counting(runs, failing: [5]).repeatAndCollect(on: .immediate) { _ in true }.error as? Oops == Oops(5))
    }
}
