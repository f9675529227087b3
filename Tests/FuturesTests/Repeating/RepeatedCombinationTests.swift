// Repetitions of combinations behave like the first run.

import Futures
import Testing

@Suite struct RepeatedCombinationTests {
    @Test func `cancelling a repetition of a combination while it starts cancels all futures that it has started`() {
        let log = Log<String>()
        let end = Shared<Future<[Int]>?>(nil)
        let (run, fail) = (Shared(0), Shared<Future<Int>.Completion?>(nil))
        @Sendable func operation(_ number: Int) -> Future<Int> {
            Future(on: .immediate) { completion in
                log.add("begin \(number)")
                if number == 1 { run.increment() }
                if number == 2, run.value == 2 { end.value?.cancel() }
                if number == 3, run.value == 1 { fail.value = completion }
                return Disposer {
                    _ = completion
                    log.add("dispose \(number)")
                }
            }
        }
        end.value = join([operation(1), operation(2), operation(3)]).onErrorRepeat(on: .immediate) { _ in true }
        fail.value?(.failure(Oops()))
        #expect(end.value?.error is CancellationError)
        let first = ["begin 1", "begin 2", "begin 3", "dispose 3", "dispose 1", "dispose 2"]
        #expect(log.entries == first + ["begin 1", "begin 2", "dispose 1", "dispose 2"])
    }

    @Test(arguments: 0...10)
    func `a repetition of a combination runs a source that its futures share once for each of them`(depth: Int) {
        let runs = Shared(0)
        var future = Future(on: .immediate, immediate: { runs.increment() })
        for _ in 0..<depth { future = join(future, future).map(on: .immediate) { max($0.0, $0.1) } }
        #expect(runs.value == 1)
        #expect(future.repeatAndCollect(on: .immediate, maxRepetitions: 1).success == [1, 1 + 1 << depth])
        #expect(runs.value == 1 + 1 << depth)
    }
}
