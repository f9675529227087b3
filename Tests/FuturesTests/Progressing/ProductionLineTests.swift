// Serial and ProductionLine: one at a time, or so many.

import Futures
import Testing

/// A progression of one stage, which ends when its gate says so.
private struct Waiting: Progression {
    let number: Int
    let gate: Future<Void>
    let begun: Log<Int>
    var result: Int?

    func next() -> Deferred<Waiting> {
        Deferred<Void>.following {
            self.begun.add(self.number)
            return self.gate
        }.map { _ in Waiting(number: self.number, gate: self.gate, begun: self.begun, result: self.number) }
    }
}

@Suite struct ProductionLineTests {
    @Test func `runs on the same Serial have their turns one after the other`() {
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

    @Test func `a production line runs at most maxCount progressions at a time`() {
        let line = ProductionLine<Waiting>(maxCount: 2, on: .immediate)
        let log = Log<Int>()
        let gates = (0..<5).map { _ in Promise<Void>() }
        let ends = (0..<5).map { line.add(Waiting(number: $0, gate: gates[$0].future, begun: log)) }
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

    @Test func `results of a production line come as futures, and to listeners as they come`() {
        let line = ProductionLine<Waiting>(maxCount: 3, on: .immediate)
        let heard = Log<Int>()
        let gates = (0..<3).map { _ in Promise<Void>() }
        let listening = line.onResult { result in heard.add((try? result.get()) ?? -1) }
        let ends = (0..<3).map { line.add(Waiting(number: $0, gate: gates[$0].future, begun: Log())) }
        gates[2].succeed()
        gates[0].fail(Oops())
        #expect(heard.entries == [2, -1])
        #expect(ends[0].error is Oops)
        listening.dispose()
        gates[1].succeed()
        #expect(ends[1].success == 1)
        #expect(heard.entries == [2, -1])
    }

    @Test func `a suspended production line begins nothing until it is resumed`() {
        let line = ProductionLine<Waiting>(maxCount: 1, on: .immediate)
        let log = Log<Int>()
        line.suspend()
        let end = line.add(Waiting(number: 1, gate: Future(), begun: log))
        #expect(log.entries == [])
        line.resume()
        #expect(end.success == 1)
    }

    @Test func `a production line that is cleared cancels what waits and what runs, and goes on`() {
        let line = ProductionLine<Waiting>(maxCount: 1, on: .immediate)
        let log = Log<Int>()
        let gate = Promise<Void>()
        let ends = (0..<3).map { line.add(Waiting(number: $0, gate: gate.future, begun: log)) }
        line.clear()
        #expect(ends.allSatisfy { $0.isCancelled })
        #expect(log.entries == [0])
        #expect(line.add(Waiting(number: 9, gate: Future(), begun: log)).success == 9)
    }

    @Test func `a production line that nobody holds keeps nothing once all is over`() {
        let census = Census()
        let gate = Promise<Void>()
        do {
            let counted = census.make()
            let line = ProductionLine<Waiting>(maxCount: 1, on: .immediate)
            let listening = line.onResult { _ in counted.touch() }
            line.add(Waiting(number: 0, gate: gate.future, begun: Log()))
            #expect(census.alive == 1)
            withExtendedLifetime(listening) {}
        }
        gate.succeed()
        #expect(census.alive == 0)
    }

    @Test func `cancelling what runs on a line gives its turn to the next`() {
        let (line, serial) = (ProductionLine<Waiting>(maxCount: 1, on: .immediate), Serial())
        let (log, heard) = (Log<Int>(), Log<Int>())
        let listening = line.onResult { heard.add((try? $0.get()) ?? -1) }
        for add in [{ line.add($0) }, { $0.serially(on: serial).start(on: .immediate) }]
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
}
