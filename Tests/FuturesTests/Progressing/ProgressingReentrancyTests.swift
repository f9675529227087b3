// Re-entrancy: lines, runs and Deferreds that their own callbacks use. Contract/Progressing.md

import Futures
import FuturesTesting
import Testing

/// Runs an action in its only stage, or waits there.
private struct Job: Progression {
    let number: Int
    var act: @Sendable () throws -> Void = {}
    var gate = Future()
    var result: Int?

    func next() -> Deferred<Job> {
        Deferred.following {
            try act()
            return gate
        }.map { Job(number: number, result: number) }
    }
}

/// Endless stages that are counted.
private struct Endless: Progression {
    let begun: Shared<Int>
    var describe: @Sendable (Int) -> Void = { _ in }
    var act: @Sendable (Int) -> Void = { _ in }
    var result: Int? { nil }

    func next() -> Deferred<Endless> {
        describe(begun.value)
        return Deferred {
            act(begun.increment())
            return self
        }
    }
}

@Suite struct ProgressingReentrancyTests {
    private let line = ProductionLine<Job>(maxConcurrentCount: 1, on: .immediate)
    private let log = Log<Int>()

    private func listen(_ then: @escaping @Sendable (Int) -> Void = { _ in }) -> any Disposable {
        line.onResult { [log] result in
            let number = (try? result.get()) ?? -1
            log.add(number)
            then(number)
        }
    }

    @Test func `a progression that is added by a running one waits for a turn`() {
        let line = line
        let gate = Promise<Void>()
        let listening = listen { if $0 == 3 { line.enqueue(Job(number: 4)) } }
        line.enqueue(
            Job(
                number: 1,
                act: {
                    line.enqueue(Job(number: 3))
                    #expect(line.runningCount == 1 && line.waitingCount == 1)
                }, gate: gate.future))
        #expect(log.entries == [])
        gate.succeed()
        #expect(log.entries == [1, 3, 4])
        withExtendedLifetime(listening) {}
    }

    @Test func `a running progression that clears its line is cancelled too, and the line continues`() {
        let line = line
        let listening = listen()
        let (first, gate) = (Promise<Void>(), Promise<Void>())
        line.enqueue(Job(number: 0, gate: first.future))
        let clearing = line.enqueue(
            Job(
                number: 1,
                act: {
                    line.abortQueuedOperations()
                    line.enqueue(Job(number: 3))
                }, gate: gate.future))
        let waiting = line.enqueue(Job(number: 2))
        first.succeed()
        #expect(clearing.isCancelled && waiting.isCancelled)
        #expect(log.entries.sorted() == [-1, -1, 0, 3] && log.entries.last == 3)
        #expect(line.drained().isCompleted)
        withExtendedLifetime(listening) {}
    }

    @Test func `listeners of a line can clear, pause and resume it`() {
        let line = line
        let gate = Promise<Void>()
        let listening = listen { number in
            switch number {
            case 0: line.pause()
            case 2: line.abortQueuedOperations()
            default: break
            }
        }
        let ends = [0, 1, 2, 3].map { line.enqueue(Job(number: $0, gate: gate.future)) }
        gate.succeed()
        #expect(log.entries == [0])
        line.resume()
        #expect(log.entries == [0, 1, 2, -1])
        #expect(ends[3].isCancelled)
        withExtendedLifetime(listening) {}
    }

    @Test func `a listener that is disposed during a notification is not called for that result`() {
        let heard = Shared(0)
        let second = Shared<(any Disposable)?>(nil)
        let first = Shared<(any Disposable)?>(nil)
        let late = Shared<(any Disposable)?>(nil)
        let line = line
        first.value = line.onResult { _ in
            second.value?.dispose()
            first.value = nil
            late.value = line.onResult { _ in heard.change { $0 += 100 } }
        }
        second.value = line.onResult { _ in heard.change { $0 += 10 } }
        line.enqueue(Job(number: 1))
        #expect(heard.value == 0)
        line.enqueue(Job(number: 2))
        #expect(heard.value == 100)
        late.value = nil
    }

    @Test func `a deferred can start itself`() {
        let deferred = Shared<Deferred<Int>?>(nil)
        let (runs, inner) = (Shared(0), Log<Int>())
        deferred.value = Deferred { () -> Int in
            let number = runs.increment()
            if number < 50, let future = deferred.value?.start(on: .immediate), let value = future.success {
                inner.add(value)
            }
            return number
        }.map { $0 * 10 }
        #expect(deferred.value?.start(on: .immediate).success == 10)
        #expect(inner.entries == (2...50).reversed().map { $0 * 10 })
        deferred.value = nil
    }

    @Test(arguments: [false, true])
    func `an observer that cancels its own run ends it at that stage`(_ isStepping: Bool) {
        struct Walk: SteppingProgression {
            let begun: Shared<Int>
            var result: Int? { nil }
            mutating func step() { begun.increment() }
        }
        let time = VirtualTime()
        let (begun, run) = (Shared(0), Shared<Future<Int>?>(nil))
        let ask: @Sendable () -> Bool = {
            if begun.value == 5 { run.value?.cancel() }
            return true
        }
        run.value =
            isStepping
            ? Walk(begun: begun).run(on: time.scheduler) { _ in ask() }
            : Endless(begun: begun).run(on: time.scheduler) { _ in ask() }
        time.run()
        #expect(run.value?.isCancelled == true && begun.value == 5)
    }

    /// How a run begins, and what ends it.
    enum Way: CaseIterable {
        case run, onSerial, onLine, clearingTheLine
    }

    /// Begins endless stages, the fifth of which ends its run; returns their number when the clock has moved.
    private func stagesUntilCancel<Stage: Progression>(
        _ way: Way, _ make: (Shared<Int>, _ act: @escaping @Sendable (Int) -> Void) -> Stage
    ) -> Int where Stage.Result == Int {
        let time = VirtualTime()
        let (begun, run) = (Shared(0), Shared<Future<Int>?>(nil))
        let line = ProductionLine<Stage>(maxConcurrentCount: 1, on: time.scheduler)
        let stage = make(begun) { number in
            guard number == 5 else { return }
            if way == .clearingTheLine { line.abortQueuedOperations() } else { run.value?.cancel() }
        }
        run.value =
            switch way {
            case .run: stage.run(on: time.scheduler)
            case .onSerial: stage.serially(on: Serial()).start(on: time.scheduler)
            case .onLine, .clearingTheLine: line.enqueue(stage)
            }
        time.run()
        #expect(run.value?.isCancelled == true && line.drained().isCompleted)
        return begun.value
    }

    @Test(arguments: Way.allCases)
    func `a stage that cancels its own run is the last one`(_ way: Way) {
        struct Walk: SteppingProgression {
            let begun: Shared<Int>
            let act: @Sendable (Int) -> Void
            var result: Int? { nil }
            mutating func step() { act(begun.increment()) }
        }
        #expect(stagesUntilCancel(way) { Endless(begun: $0, act: $1) } == 5)
        #expect(stagesUntilCancel(way) { Walk(begun: $0, act: $1) } == 5)
    }

    @Test func `a stage whose run is cancelled while it describes the next stage does not start it`() {
        let time = VirtualTime()
        let (begun, run) = (Shared(0), Shared<Future<Int>?>(nil))
        run.value = Endless(begun: begun, describe: { if $0 == 5 { run.value?.cancel() } }).run(on: time.scheduler)
        time.run()
        #expect(run.value?.isCancelled == true && begun.value == 5)
    }

    @Test func `the closures of compose can start another run`() {
        struct Outer: Progression {
            var inner: Endless
            let begun: Shared<Int>
            let line: ProductionLine<Job>
            var result: Int? { inner.begun.value == 5 ? 5 : nil }
            func next() -> Deferred<Outer> {
                inner.compose(
                    transformNext: { [self] in
                        #expect(Job(number: 7).run(on: .immediate).success == 7)
                        line.enqueue(Job(number: begun.increment()))
                        return Outer(inner: $0, begun: begun, line: line)
                    }, transformResult: { (_: Int) -> Outer in self })
            }
        }
        let listening = listen()
        let outer = Outer(inner: Endless(begun: Shared(0)), begun: Shared(0), line: line)
        #expect(outer.run(on: .immediate).success == 5)
        #expect(log.entries == [1, 2, 3, 4, 5])
        withExtendedLifetime(listening) {}
    }

    @Test func `a resolve within a resolve, or after a cancel, does nothing`() {
        let calls = Log<Int>()
        let nested = Deferred<Int>.future { resolve in
            resolve {
                resolve { calls.increment(1) }
                return 2
            }
        }.start(on: .immediate)
        #expect(nested.success == 2 && calls.entries == [])
        let kept = Shared<Deferred<Int>.Resolve?>(nil)
        let cancelled = Deferred<Int>.future { kept.value = $0 }.start(on: .immediate)
        cancelled.cancel()
        kept.value? { calls.increment(3) }
        #expect(cancelled.isCancelled)
        kept.value = nil
        let thrown = Deferred<Int>.future { resolve in
            resolve { 4 }
            throw Oops(4)
        }.start(on: .immediate)
        #expect(thrown.success == 4)
    }

    @Test func `a handler can use the result more than once and start the next run`() {
        let deferred = Deferred { 2 }
        let end = deferred.execute(on: .immediate) { useResult in
            try useResult() * useResult() * (deferred.start(on: .immediate).success ?? 0)
        }
        #expect(end.success == 8)
    }
}

extension Log<Int> {
    fileprivate func increment(_ number: Int) -> Int {
        add(number)
        return number
    }
}
