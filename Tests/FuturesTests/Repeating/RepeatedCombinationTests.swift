// Repetitions of combinations behave like the first run.

import Futures
import Testing

@Suite struct RepeatedCombinationTests {
    private struct Late: Error, Equatable { let number: Int }

    @Test func `a repetition of a combination receives its futures' results in the order of the first run`() {
        let value = Future("value")
        let mapped = Future("mapped").map(on: .immediate) { $0 }
        #expect(
            select(mapped, or: value).repeatAndCollect(on: .immediate, maxRepetitions: 3) { _ in true }.success.map {
                $0.map { $0.any }
            }
                == Array(repeating: "mapped", count: 4))
        #expect(
            select(value, or: mapped).repeatAndCollect(on: .immediate, maxRepetitions: 3) { _ in true }.success.map {
                $0.map { $0.any }
            }
                == Array(repeating: "value", count: 4))
        #expect(
            Future.firstSuccess(of: [mapped, value]).repeatAndCollect(on: .immediate, maxRepetitions: 2) { _ in true }
                .success
                == [
                    "mapped", "mapped", "mapped",
                ])
        #expect(
            Future.first(2, of: [mapped, value]).repeatAndCollect(on: .immediate, maxRepetitions: 1) { _ in true }
                .success == [
                    ["mapped", "value"], ["mapped", "value"],
                ])

        let failing = Future(1).map(on: .immediate) { _ -> Int in throw Late(number: 1) }
        let both = join(failing, Future<Int>(error: Late(number: 2)))
        #expect(both.error as? Late == Late(number: 1))
        #expect(both.onErrorRepeat(on: .immediate, maxRepetitions: 20) { _ in true }.error as? Late == Late(number: 1))
    }

    @Test
    func `a repetition of a combination starts all its futures, in the order of the first run, before any result`() {
        let log = Log<String>()
        @Sendable func operation(_ name: String) -> Future<String> {
            Future(on: .immediate) { completion in
                log.add("begin \(name)")
                completion(.success(name))
                return NilDisposer()
            }.map(on: .immediate) {
                log.add("map \($0)"); return $0
            }
        }
        let inner = select(operation("a"), or: operation("b")).map(on: .immediate) {
            log.add("select \($0.any)"); return $0.any
        }
        let outer = join([inner, operation("c"), FutureQueue().on(.immediate).enqueue { operation("d") }])
            .map(on: .immediate) { log.add("join \($0.joined())") }
        let first = log.entries
        #expect(
            first == [
                "begin a", "map a", "begin b", "map b", "select a", "begin c", "map c", "begin d", "map d", "join acd",
            ])
        for count in 1...20 {
            _ = outer.onValueRepeat(on: .immediate, maxRepetitions: count) { _ in true }
            #expect(log.entries == Array(repeating: first, count: 1 + count * (count + 1) / 2).flatMap { $0 })
        }
    }

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

    @Test func `cancelling a repetition before it is enqueued does not affect its queue`() {
        let (queue, keyed) = (FutureQueue(), KeyedFutureQueue<Int>())
        for _ in 0..<200 {
            let end = Shared<Future<[Int]>?>(nil)
            let (run, fail) = (Shared(0), Shared<Future<Int>.Completion?>(nil))
            let first = Future<Int>(on: .immediate) { completion in
                if run.increment() == 2 { end.value?.cancel() } else { fail.value = completion }
                return Disposer { _ = completion }
            }
            let begun = Shared(0)
            let others = [
                queue.on(.immediate).enqueue { Future(begun.increment()) },
                keyed[1].on(.immediate).enqueue { Future(begun.increment()) },
            ]
            end.value = join([first] + others).onErrorRepeat(on: .immediate) { _ in true }
            fail.value?(.failure(Oops()))
            #expect(end.value?.error is CancellationError)
            #expect(run.value == 2 && begun.value == 2)
            #expect(queue.isEmpty && keyed.isEmpty)
            end.value = nil
        }
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

    @Test func `a signal that has completed aborts each of many repetitions before its operation starts`() {
        for count in [1, 13, 14, 15, 16, 17, 20, 40, 200] {
            let begun = Shared(0)
            let signal = Promise<Void>()
            let load = Future<Int>(on: .immediate) { completion in
                begun.increment()
                return Disposer { _ = completion }
            }
            let aborted = load.abort(forFutures: [signal.future])
            signal.succeed()
            _ = aborted.onErrorRepeat(on: .immediate, maxRepetitions: count) { _ in true }
            #expect(begun.value == 1)
        }
    }

    @Test(arguments: [0] + nestings)
    func `a queue's operations that are repeated in a callback begin before the callback returns`(depth: Int) {
        let ended = Shared(false)
        onAnotherThread {
            let (queue, run, answer) = (FutureQueue(), Shared(0), Promise<Bool>())
            let serial = Scheduler(label: "serial")
            let failing = queue.on(serial).enqueue { run.increment() == 1 ? Future(error: Oops()) : Future(2) }
            let both = join([failing, queue.on(serial).enqueue { Future(1) }])
            let (asked, signal) = (Signal(), Signal())
            both.onErrorRepeat(on: serial) { _ in
                asked.send()
                return answer.future
            }
            .onValue(on: .background) { _ in signal.send() }
            #expect(asked.comes())
            // By now, the repetition waits for the answer.
            serial.sync {}
            nest(depth) {
                answer.succeed(true)
                ended.value = signal.comes()
            }
        }
        #expect(ended.value)
    }
}
