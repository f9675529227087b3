// Progressions: observed, cancelled, composed, and continued by another process. Contract/Deferred.md

import Foundation
import Futures
import Testing

/// Counts to its limit, one stage for each number.
private enum Count: Progression, Codable, Equatable {
    case at(Int, limit: Int)
    case done(Int)

    func next() -> Deferred<Count> {
        Deferred {
            switch self {
            case .at(let number, let limit): number == limit ? .done(number) : .at(number + 1, limit: limit)
            case .done: completedStage(self)
            }
        }
    }

    var result: Int? {
        guard case .done(let number) = self else { return nil }
        return number
    }
}

/// Waits for an external completion in each stage.
private struct Gated: Progression {
    let gates: [Future<Void>]
    var passed = 0
    var stop: @Sendable () -> Void = {}

    func next() -> Deferred<Gated> {
        Deferred<Void>.following { self.gates[self.passed].onCancel(on: .immediate) { self.stop() } }.map { _ in
            var copy = self
            copy.passed += 1
            return copy
        }
    }

    var result: Int? { passed == gates.count ? passed : nil }
}

/// Counts twice, with the counts nested in this progression.
private enum Outer: Progression {
    case first(Count)
    case second(Count)
    case done(String)

    func next() -> Deferred<Outer> {
        switch self {
        case .first(let count):
            return count.compose(
                transformNext: { .first($0) },
                transformResult: { result in Deferred { .second(.at(result, limit: result + 3)) } })
        case .second(let count):
            return count.compose(
                transformNext: { .second($0) },
                transformResult: { result in
                    if result > 100 { throw Oops(result) }
                    return .done("\(result)")
                })
        case .done: completedStage(self)
        }
    }

    var result: String? {
        guard case .done(let text) = self else { return nil }
        return text
    }
}

@Suite struct ProgressionTests {
    @Test func `a progression runs from any stage to its result`() throws {
        #expect(try Count.at(0, limit: 5).run().wait(timeout: testTimeout) == 5)
        #expect(try Count.at(3, limit: 5).run(on: Scheduler(label: "own")).wait(timeout: testTimeout) == 5)
        #expect(Count.done(7).run(on: .immediate).success == 7)
        #expect(Walk(limit: 5000).run(on: .immediate).success == 5000)
        #expect(try Walk(limit: 5000).run().wait(timeout: testTimeout) == 5000)
    }

    @Test func `an observer is called for every stage, including the first and the last`() {
        let log = Log<Count>()
        let end = Count.at(0, limit: 2).run(on: .immediate) { stage in log.add(stage, returning: true) }
        #expect(end.success == 2)
        #expect(log.entries == [.at(0, limit: 2), .at(1, limit: 2), .at(2, limit: 2), .done(2)])
    }

    @Test func `an observer that returns false ends the run`() {
        let vetoed = Count.at(0, limit: 5).run(on: .immediate) { $0 != .at(3, limit: 5) }
        #expect(vetoed.isCancelled)
        let thrown = Walk(limit: 100).run(on: .immediate) { stage in
            if stage.number == 50 { throw Oops(50) }
            return true
        }
        #expect(thrown.error as? Oops == Oops(50))
        #expect(Count.done(1).run(on: .immediate) { _ in false }.isCancelled)
    }

    @Test func `cancelling a run cancels its running stage, and no other stage starts`() {
        let (stops, stages, gates) = (Shared(0), Log<Int>(), (0..<3).map { _ in Promise<Void>() })
        let run = Gated(gates: gates.map(\.future), stop: { stops.increment() }).run(on: .immediate) { stage in
            stages.add(stage.passed, returning: true)
        }
        gates[0].succeed()
        #expect(stages.entries == [0, 1])
        run.cancel()
        #expect(run.isCancelled)
        #expect(stops.value == 1)
        gates[1].succeed()
        #expect(stages.entries == [0, 1])
    }

    @Test func `a progression's result can be mapped, and another progression can follow it`() {
        let start = Count.at(0, limit: 3)
        #expect(start.map { "\($0)" }.run(on: .immediate).success == "3")
        #expect(start.flatMap { Walk(limit: $0 + 1) }.run(on: .immediate).success == 4)
        #expect(start.map { _ -> Int in throw Oops(1) }.run(on: .immediate).error as? Oops == Oops(1))
        #expect(start.flatMap { _ -> Walk in throw Oops(2) }.run(on: .immediate).error as? Oops == Oops(2))
    }

    @Test func `another process can continue from a stored stage when the first process was killed`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            _ = await Count.at(0, limit: 10).run(on: .immediate) { stage in
                try JSONEncoder().encode(stage).write(to: URL(fileURLWithPath: path), options: .atomic)
                if stage == .at(6, limit: 10) { kill(getpid(), SIGKILL) }
                return true
            }.arrival()
        }
        let stored = try Data(contentsOf: URL(fileURLWithPath: path))
        let stage = try JSONDecoder().decode(Count.self, from: stored)
        #expect(stage == .at(6, limit: 10))
        let log = Log<Count>()
        let end = stage.run(on: .immediate) { stage in log.add(stage, returning: true) }
        #expect(end.success == 10)
        #expect(log.count == 6)
    }
}

extension ProgressionTests {
    @Test func `observers are called for the stages of a mapped progression too`() {
        let results = Log<Int?>()
        let end = Walk(limit: 1).map { $0 * 10 }.flatMap { Walk(number: $0, limit: 11) }
            .run(on: .immediate) { stage in results.add(stage.result, returning: true) }
        #expect(end.success == 11)
        // Two stages of the first walk, the mapped result, and two stages of the second walk.
        #expect(results.entries == [nil, nil, nil, nil, 11])
    }

    @Test func `a result of nil is a result`() {
        struct Walk: Progression {
            var left: Int
            func next() -> Deferred<Walk> { Deferred { Walk(left: left - 1) } }
            var result: Int?? { left == 0 ? .some(nil) : nil }
        }
        let asked = Log<Int>()
        let end = Walk(left: 3).run(on: .immediate) { stage in asked.add(stage.left, returning: true) }
        #expect(end.success == .some(nil))
        #expect(asked.entries == [3, 2, 1, 0])
    }
}
