// Serial and ProductionLine: limits of concurrent runs. Contract/ProductionLine.md

import Futures
import FuturesTesting
import Testing

/// A progression of one stage, which completes when its gate does.
private struct Waiting: Progression {
    let number: Int
    let gate: Future<Void>
    let begun: Log<Int>
    var blocking: Deferred<Void>?
    var result: Int?

    func next() -> Deferred<Waiting> {
        if let blocking { return blocking.map { Waiting(number: number, gate: gate, begun: begun, result: number) } }
        return Deferred<Void>.following {
            self.begun.add(self.number)
            return self.gate
        }.map { _ in Waiting(number: self.number, gate: self.gate, begun: self.begun, result: self.number) }
    }
}

@Suite struct ProductionLineTests {
    @Test func `runs on the same Serial run one at a time`() {
        let serial = Serial()
        let log = Log<Int>()
        let gates = (0..<3).map { _ in Promise<Void>() }
        let runs = (0..<3).map { number in
            Waiting(number: number, gate: gates[number].future, begun: log).serially(on: serial).start(on: .immediate)
        }
        #expect(log.entries == [0])
        runs[1].cancel()
        gates[0].succeed()
        #expect(log.entries == [0, 2])
        gates[2].succeed()
        #expect(runs.map(\.success) == [0, nil, 2])
    }

    @Test func `a production line runs at most maxConcurrentCount progressions concurrently`() {
        let line = ProductionLine<Waiting>(maxConcurrentCount: 2, on: .immediate)
        let log = Log<Int>()
        let gates = (0..<5).map { _ in Promise<Void>() }
        let ends = (0..<5).map { line.enqueue(Waiting(number: $0, gate: gates[$0].future, begun: log)) }
        #expect(log.entries == [0, 1])
        #expect((line.runningCount, line.waitingCount) == (2, 3))
        gates[1].succeed()
        #expect(log.entries == [0, 1, 2])
        ends[3].cancel()
        for gate in gates { gate.succeed() }
        #expect(log.entries == [0, 1, 2, 4])
        #expect(ends.map(\.success) == [0, 1, 2, nil, 4])
        #expect(line.drained().isCompleted)
    }

    @Test func `a production line's listeners are called on its scheduler`() {
        let scheduler = Scheduler(label: "line")
        let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: scheduler)
        let heard = Shared(0)
        let listening = line.onResult { _ in
            if scheduler.isHeld { heard.increment() }
        }
        var blocking = Waiting(number: 1, gate: Future(), begun: Log())
        blocking.blocking = Deferred(on: .background) {}
        for _ in 0..<200 { _ = try? line.enqueue(blocking).wait(timeout: testTimeout) }
        // Completes before a listener can be attached.
        let ended = Waiting(number: 1, gate: Future(), begun: Log(), result: 1)
        for _ in 0..<200 { _ = try? line.enqueue(ended).wait(timeout: testTimeout) }
        #expect(heard.value == 400)
        listening.dispose()
    }

    @Test func `a production line's results come as futures, and to its listeners in the order of completion`() {
        let line = ProductionLine<Waiting>(maxConcurrentCount: 3, on: .immediate)
        let heard = Log<Int>()
        let gates = (0..<3).map { _ in Promise<Void>() }
        let listening = line.onResult { result in heard.add((try? result.get()) ?? -1) }
        let ends = (0..<3).map { line.enqueue(Waiting(number: $0, gate: gates[$0].future, begun: Log())) }
        gates[2].succeed()
        gates[0].fail(Oops())
        #expect(heard.entries == [2, -1])
        #expect(ends[0].error is Oops)
        listening.dispose()
        gates[1].succeed()
        #expect(ends[1].success == 1)
        #expect(heard.entries == [2, -1])
    }

    @Test func `a paused production line starts nothing until it is resumed`() {
        let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: .immediate)
        let log = Log<Int>()
        line.pause()
        let end = line.enqueue(Waiting(number: 1, gate: Future(), begun: log))
        #expect(log.entries == [])
        line.resume()
        #expect(end.success == 1)
    }

    @Test func `progressions that wait on a production line can be aborted without those that run`() {
        let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: .immediate)
        let (log, gate) = (Log<Int>(), Promise<Void>())
        let ends = (0..<3).map { line.enqueue(Waiting(number: $0, gate: gate.future, begun: log)) }
        line.abortQueuedOperations(with: Oops(4), shouldAbortRunning: false)
        #expect(ends.map { $0.error as? Oops } == [nil, Oops(4), Oops(4)])
        gate.succeed()
        #expect(ends[0].success == 0 && log.entries == [0] && line.isEmpty)
    }

    @Test func `a closed production line rejects progressions and runs those that it has`() {
        let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: .immediate)
        let (log, gate) = (Log<Int>(), Promise<Void>())
        let ends = (0..<2).map { line.enqueue(Waiting(number: $0, gate: gate.future, begun: log)) }
        let closed = line.close(with: Oops(2))
        #expect(line.enqueue(Waiting(number: 9, gate: Future(), begun: log)).error as? Oops == Oops(2))
        gate.succeed()
        #expect(ends.map(\.success) == [0, 1] && closed.isCompleted)
    }

    @Test func `aborting a production line fails its waiting and running progressions, and it continues`() {
        let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: .immediate)
        let log = Log<Int>()
        let gate = Promise<Void>()
        let ends = (0..<3).map { line.enqueue(Waiting(number: $0, gate: gate.future, begun: log)) }
        line.abortQueuedOperations()
        #expect(ends.allSatisfy { $0.isCancelled })
        #expect(log.entries == [0])
        #expect(line.enqueue(Waiting(number: 9, gate: Future(), begun: log)).success == 9)
    }

    @Test func `an unreferenced production line retains nothing when its runs have ended`() {
        let census = Census()
        let gate = Promise<Void>()
        do {
            let counted = census.make()
            let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: .immediate)
            let listening = line.onResult { _ in counted.touch() }
            line.enqueue(Waiting(number: 0, gate: gate.future, begun: Log()))
            #expect(census.alive == 1)
            withExtendedLifetime(listening) {}
        }
        gate.succeed()
        #expect(census.alive == 0)
    }

    @Test func `cancelling a run on a line starts the next one`() {
        let (line, serial) = (ProductionLine<Waiting>(maxConcurrentCount: 1, on: .immediate), Serial())
        let (log, heard) = (Log<Int>(), Log<Int>())
        let listening = line.onResult { heard.add((try? $0.get()) ?? -1) }
        for add in [{ line.enqueue($0) }, { $0.serially(on: serial).start(on: .immediate) }]
            as [(Waiting) -> Future<Int>]
        {
            let gates = (0..<2).map { _ in Promise<Void>() }
            let ends = (0..<2).map {
                add(Waiting(number: $0, gate: gates[$0].future.map(on: .immediate) { $0 }, begun: log))
            }
            ends[0].cancel()
            #expect(ends[0].isCancelled && !ends[1].isCompleted)
            gates[1].succeed()
            #expect(ends[1].success == 1)
        }
        #expect(log.entries == [0, 1, 0, 1])
        #expect(heard.entries == [1])
        withExtendedLifetime(listening) {}
    }

    @Test func `listeners of a line are called for aborted progressions, but not for cancelled ones`() {
        let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: .immediate)
        let (first, second) = (Log<String>(), Log<String>())
        let gate = Promise<Void>()
        var listening = [first, second].map { log in
            line.onResult { log.add((try? $0.get()).map { "\($0)" } ?? "\($0)") }
        }
        let ends = (0..<3).map { line.enqueue(Waiting(number: $0, gate: gate.future, begun: Log())) }
        ends[1].cancel()
        #expect(first.entries == [])
        line.abortQueuedOperations()
        let cleared = "failure(Swift.CancellationError())"
        #expect(first.entries == [cleared, cleared])
        #expect(line.waitingCount == 0 && line.runningCount == 0 && line.drained().isCompleted)
        // Releasing a listener's disposable is equivalent to disposing it.
        listening.removeFirst()
        #expect(line.enqueue(Waiting(number: 7, gate: Future(), begun: Log())).success == 7)
        #expect(first.entries == [cleared, cleared])
        #expect(second.entries == [cleared, cleared, "7"])
        listening[0].dispose()
        line.enqueue(Waiting(number: 8, gate: Future(), begun: Log()))
        #expect(second.count == 3)
    }

    @Test func `a repeated future of a line waits for a turn again`() {
        let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: .immediate)
        let (begun, heard) = (Log<Int>(), Shared(0))
        let listening = line.onResult { _ in heard.increment() }
        let gates = (0..<2).map { _ in Promise<Void>() }
        let end = line.enqueue(Waiting(number: 0, gate: gates[0].future, begun: begun))
            .onValueRepeat(on: .immediate, maxRepetitions: 1) { _ in true }
        line.enqueue(Waiting(number: 1, gate: gates[1].future, begun: begun))
        gates[0].succeed()
        #expect(begun.entries == [0, 1])
        gates[1].succeed()
        #expect(begun.entries == [0, 1, 0])
        #expect(end.success == 0 && heard.value == 3)
        withExtendedLifetime(listening) {}
    }

    @Test func `a listener of a deallocated line retains nothing`() {
        let census = Census()
        var line: ProductionLine<Waiting>? = ProductionLine(maxConcurrentCount: 1)
        func listen() -> (any Disposable)? {
            let counted = census.make()
            return line?.onResult { _ in counted.touch() }
        }
        let listening = listen()
        #expect(census.alive == 1)
        line = nil
        #expect(census.alive == 0)
        listening?.dispose()
    }

    @Test func `an unreferenced line continues even if it was paused`() {
        let log = Log<Int>()
        var line: ProductionLine<Waiting>? = ProductionLine(maxConcurrentCount: 1, on: .immediate)
        line?.pause()
        let end = line?.enqueue(Waiting(number: 1, gate: Future(), begun: log))
        #expect(log.entries == [])
        line = nil
        #expect(end?.success == 1)
    }

    @Test func `a run on a Serial that waits for another run on it fails`() {
        let serial = Serial()
        let inner = Deferred(1).serially(on: serial)
        let outer = Deferred(2).flatMap { _ in inner }.serially(on: serial)
        let run = outer.start(on: .immediate)
        #expect(run.error is QueueError)
        #expect(inner.start(on: .immediate).success == 1)
    }

    @Test func `such an error names the lines of the client`() {
        let serial = Serial()
        let inner = Deferred(1).serially(on: serial, file: "inner", line: 1)
        let outer = Deferred(2).flatMap { _ in inner }.serially(on: serial, file: "outer", line: 2)
        let error = outer.start(on: .immediate).error as? QueueError
        #expect(error == .deadlock(running: .init("outer", line: 2), waiting: .init("inner", line: 1)))

        struct Waiting: Progression {
            let line: Guarded<ProductionLine<Waiting>?>
            var number = 0
            var result: Int? { number == 0 ? nil : number }

            func next() -> Deferred<Waiting> {
                Deferred.following {
                    line.with { $0! }.enqueue(Waiting(line: line, number: 1), file: "second", line: 2).map(
                        on: .immediate
                    ) {
                        Waiting(line: line, number: $0)
                    }
                }
            }
        }
        let line = Guarded<ProductionLine<Waiting>?>(ProductionLine(maxConcurrentCount: 1, on: .immediate))
        let first = line.with { $0! }.enqueue(Waiting(line: line), file: "first", line: 1)
        #expect(
            first.error as? QueueError == .deadlock(running: .init("first", line: 1), waiting: .init("second", line: 2))
        )
        line.with { $0 = nil }
    }

    /// A run whose second stage, or step, blocks until its gate succeeds.
    private struct Blocking: SteppingProgression {
        enum Way: CaseIterable { case inStage, inTransform, inDescription, inStep }

        let way: Way
        let number: Int
        let log: Log<Int>
        let (begun, gate): (Promise<Void>, Promise<Void>)
        var steps = 0
        var result: Int? { steps == 2 ? number : nil }

        private func work() throws {
            log.add(number)
            guard steps == 1 else { return }
            begun.succeed()
            try gate.future.wait(timeout: testTimeout)
            log.add(-number)
        }

        mutating func step() throws {
            try work()
            steps += 1
        }

        /// The same stages as a progression that does not step.
        struct Described: Progression {
            var blocking: Blocking
            var result: Int? { blocking.result }

            func next() -> Deferred<Described> {
                var next = self
                next.blocking.steps += 1
                let (blocking, following) = (blocking, next)
                let work: @Sendable () throws -> Void = { try blocking.work() }
                switch blocking.way {
                case .inTransform:
                    return Deferred { following }.map {
                        try work()
                        return $0
                    }
                case .inDescription:
                    let result = Swift.Result<Void, any Error> { try work() }
                    return Deferred {
                        try result.get()
                        return following
                    }
                case .inStage, .inStep:
                    return Deferred {
                        try work()
                        return following
                    }
                }
            }
        }
    }

    @Test(arguments: Blocking.Way.allCases, [false, true])
    private func `a stage that runs in place and is cancelled keeps its turn until it returns`(
        _ way: Blocking.Way, _ isSerial: Bool
    ) throws {
        let log = Log<Int>()
        let (line, steps, serial) = (
            ProductionLine<Blocking.Described>(maxConcurrentCount: 1), ProductionLine<Blocking>(maxConcurrentCount: 1),
            Serial()
        )
        func add(_ stage: Blocking) -> Future<Int> {
            if way == .inStep { return isSerial ? stage.serially(on: serial).start() : steps.enqueue(stage) }
            let stage = Blocking.Described(blocking: stage)
            return isSerial ? stage.serially(on: serial).start() : line.enqueue(stage)
        }
        func stage(_ number: Int) -> Blocking {
            Blocking(way: way, number: number, log: log, begun: Promise(), gate: Promise())
        }
        let (one, two) = (stage(1), stage(2))
        two.gate.succeed()
        let first = add(one)
        try one.begun.future.wait(timeout: testTimeout)
        let second = add(two)
        first.cancel()
        #expect(first.isCancelled && log.entries == [1, 1])
        one.gate.succeed()
        #expect(try second.wait(timeout: testTimeout) == 2)
        #expect(log.entries == [1, 1, -1, 2, 2, -2])
    }

    @Test(arguments: [true, false])
    func `a cancel while a listener of a line is called does nothing`(_ isInPlace: Bool) async {
        let (line, cancels) = (
            ProductionLine<Waiting>(maxConcurrentCount: 1, on: isInPlace ? .immediate : .utility), Log<Bool>()
        )
        let (end, heard) = (Shared<Future<Int>?>(nil), Log<Int?>())
        let gate = Promise<Void>()
        let listening = (1...2).map { _ in
            line.onResult { result in
                heard.add(try? result.get())
                cancels.add(end.value?.cancel() ?? true)
            }
        }
        end.value = line.enqueue(Waiting(number: 7, gate: gate.future, begun: Log()))
        gate.succeed()
        // Without a listener, with which a cancel would do nothing in any case.
        #expect(await comesTrue { end.value?.isCompleted == true })
        #expect(end.value?.success == 7)
        #expect(heard.entries == [7, 7] && cancels.entries == [false, false])
        withExtendedLifetime(listening) {}
    }

    @Test func `a cancel before the listeners of a line are called is one that they do not hear`() {
        let time = VirtualTime()
        let line = ProductionLine<Waiting>(maxConcurrentCount: 1, on: time.scheduler)
        let heard = Shared(0)
        let listening = line.onResult { _ in heard.increment() }
        let gate = Promise<Void>()
        let end = line.enqueue(Waiting(number: 7, gate: gate.future, begun: Log()))
        time.run()
        gate.succeed()
        let isCancelled = end.cancel()
        time.run()
        #expect(isCancelled && end.isCancelled && heard.value == 0)
        withExtendedLifetime(listening) {}
    }
}
