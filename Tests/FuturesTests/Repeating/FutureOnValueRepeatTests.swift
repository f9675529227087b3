// onValueRepeat, onResultRepeat, repeatAndCollect. Contract/Repeating.md

import Futures
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
}
