// withoutHistory: a future that retains only its result.

import Futures
import Testing

@Suite struct FutureWithoutHistoryTests {
    private let census = Census(), gate = Promise<Int>()

    /// Returns a step that captures a counted object.
    private func step(_ future: Future<Int>) -> Future<Int> {
        let captured = census.make()
        return future.flatMap(on: .immediate) { Future(captured.pass($0)) }
    }

    @Test func `a future without history has released the futures that led to its result`() {
        let result = step(step(gate.future)).withoutHistory()
        let failed = step(step(gate.future)).map(on: .immediate) { throw Oops($0) }.withoutHistory()
        #expect(census.alive == 4)
        gate.succeed(1)
        #expect(census.alive == 0)
        #expect(result.success == 1)
        #expect(failed.error as? Oops == Oops(1))
        // Also if the result is already available.
        let late = step(gate.future).withoutHistory()
        #expect(census.alive == 0)
        #expect(late.success == 1)
    }

    @Test(arguments: [true, false])
    func `a repetition of a future without history shares its result`(isPending: Bool) {
        let runs = Shared(0)
        if !isPending { gate.succeed(1) }
        let cut = gate.future.map(on: .immediate) { _ -> Int in throw Oops(runs.increment()) }.withoutHistory()
        let repeated = cut.onErrorRepeat(on: .immediate, maxRepetitions: 3)
        gate.succeed(1)
        #expect(repeated.error as? Oops == Oops(1))
    }

    @Test func `a cancel passes through withoutHistory, source first, unless there are other listeners`() {
        let log = Log<String>()
        let source = gate.future.onCancel(on: .immediate) { log.add("source") }
        let one = source.withoutHistory().onCancel(on: .immediate) { log.add("one") }
        let other = source.withoutHistory().onCancel(on: .immediate) { log.add("other") }
        one.cancel()
        #expect(log.entries == ["one"])
        #expect(!gate.future.isCancelled)
        other.cancel()
        #expect(log.entries == ["one", "source", "other"])
        #expect(gate.future.isCancelled)
    }
}
