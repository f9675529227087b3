// onValueRepeat, onResultRepeat, repeatAndCollect. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureOnValueRepeatTests {
    private let runs = Shared(0)

    /// Returns an operation that succeeds with the number of its run, and fails in the runs in `failing`.
    private func counting(failing: Set<Int> = []) -> Future<Int> {
        Future(on: .immediate) { completion in
            let run = runs.increment()
            completion(failing.contains(run) ? .failure(Oops(run)) : .success(run))
            return NilDisposer()
        }
    }

    @Test func `a value is repeated while the predicate returns true, and the last one is passed on`() {
        let future = counting().map(on: .immediate) { $0 * 10 }.onValueRepeat(on: .immediate) { $0 < 50 }
        #expect(future.success == 50)
        let asked = counting().onValueRepeat(on: .immediate) { value -> Future<Bool> in Future(value < 9) }
        #expect(asked.success == 9)
    }

    @Test func `onResultRepeat repeats values and errors`() {
        let future = counting(failing: [1, 2, 4]).onResultRepeat(on: .immediate) { (try? $0.get()) != 5 }
        #expect(future.success == 5)
        let asked = Scheduler(label: "here").perform {
            counting(failing: [6, 8]).onResultRepeat { Future((try? $0.get()) != 9) }
        }
        #expect(asked.success == 9)
    }

    @Test func `repeatAndCollect has the values of all runs`() {
        #expect(counting().repeatAndCollect(on: .immediate) { $0 < 4 }.success == [1, 2, 3, 4])
        #expect(counting().repeatAndCollect(on: .immediate, maxRepetitions: 1) { _ in true }.success == [5, 6])
        let threw = counting().repeatAndCollect(on: .immediate) { value -> Bool in
            if value == 10 { throw Oops() }
            return true
        }
        #expect(threw.success == [7, 8, 9, 10])
    }

    @Test func `the first error ends a repeatAndCollect and releases its values`() {
        let (census, gate) = (Census(), Promise<Void>())
        let future = gate.future.flatMap(on: .immediate) { counting(failing: [4]) }
            .map(on: .immediate) { _ in census.make() }
            .repeatAndCollect(on: .immediate) { _ in true }
        gate.succeed()
        #expect(future.error as? Oops == Oops(4))
        #expect(census.alive == 0)
    }

    @Test func `a repetition does not retain the results that it has passed on`() {
        let (census, gate) = (Census(), Promise<Void>())
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
        let (time, delay) = (VirtualTime(), Duration.seconds(10))
        let (run, scheduler) = (counting(failing: kind == 0 ? [1] : [2]), time.scheduler)
        let end: Future<Void> =
            switch kind {
            case 0: run.onErrorRepeat(on: scheduler, delayBetweenRepetitions: delay).asVoid()
            case 1: run.onValueRepeat(on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: 1).asVoid()
            case 2: run.onResultRepeat(on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: 1).asVoid()
            default: run.repeatAndCollect(on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: 1).asVoid()
            }
        time.advance(by: .seconds(9))
        #expect(runs.value == 1)
        time.advance(by: .seconds(1))
        #expect(runs.value == 2)
        #expect(end.isCompleted)
        #expect(time.pendingCount == 0)
    }

    @Test @MainActor func `predicates of all repeating operators are called where they were attached`() async throws {
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
        #expect(try await last.value == 3)
        #expect(calls == 4)
        let all = number.repeatAndCollect { _ in
            calls += 1
            return false
        }
        #expect(try await all.value.count == 1)
        #expect(calls == 5)
    }
}
