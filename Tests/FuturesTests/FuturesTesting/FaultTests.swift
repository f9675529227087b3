// Faults: failures, delays and cancels that tests inject. Contract/Testing.md

import Foundation
import Futures
import FuturesTesting
import Testing

@Suite struct FaultTests {
    private let time = VirtualTime()

    @Test func `a fault point is the future itself in a process without simulations, virtual time and faults`() async {
        await #expect(processExitsWith: .success) {
            let future = Future(1)
            precondition(future.faultPoint("point") == future)
            let injection = Fault.inject(.cancel, at: "point")
            precondition(future.faultPoint("point") != future)
            injection.dispose()
            precondition(future.faultPoint("point") == future)
        }
    }

    @Test func `an injected failure replaces the value at its point, as often as it is injected`() {
        time.inject(.failure(Oops(7)), at: "a", times: 2)
        let futures = (0..<3).map { Future($0).faultPoint("a", on: time.scheduler) }
        #expect(futures.map { $0.error as? Oops } == [Oops(7), Oops(7), nil])
        #expect(futures[2].success == 2)
        #expect(Future(1).faultPoint("b", on: time.scheduler).success == 1)
    }

    @Test func `an injected delay goes by the clock of the point's scheduler`() throws {
        time.inject(.delay(.seconds(5)), at: "a")
        let future = time.scheduler.perform { Future(1).faultPoint("a") }
        time.advance(by: .seconds(4))
        #expect(!future.isCompleted)
        time.advance(by: .seconds(1))
        #expect(future.success == 1)
        try time.checkNothingPending()
    }

    @Test func `an injected cancel is one for the rest of the chain`() {
        time.inject(.cancel, at: "a")
        let log = Log<String>()
        let future = Future(1).faultPoint("a", on: time.scheduler).onCancel(on: .immediate) { log.add("cancelled") }
            .onValue(on: .immediate) { _ in log.add("value") }
        #expect(log.entries == ["cancelled"])
        #expect(future.isCancelled)
    }

    @Test func `a fault of the process is injected on real threads until its injection is disposed`() throws {
        let injection = Fault.inject(.failure(Oops(1)), at: "FaultTests", times: .max)
        func reply() -> Future<Int> { Future(on: .background, immediate: { 1 }).faultPoint("FaultTests") }
        for _ in 0..<10 { #expect(throws: Oops(1)) { try reply().wait(timeout: testTimeout) } }
        injection.dispose()
        #expect(try reply().wait(timeout: testTimeout) == 1)
    }

    @Test func `a fault of virtual time whose point is never reached is reported at the end`() throws {
        let time = VirtualTime()
        time.inject(.cancel, at: "reply", times: 2)
        time.inject(.failure(FutureError.awaitsItself), at: "replies")
        let future = time.scheduler.perform { Future(1).faultPoint("reply") }
        let error = #expect(throws: VirtualTime.FaultsUnused.self) { try time.runToEnd() }
        #expect(future.isCancelled && error?.points == ["replies"])
        #expect(error?.description.contains("at \"replies\"") == true)
    }

    @Test func `a simulation chooses by its seed whether it injects a fault`() throws {
        func errors(seed: UInt64) throws -> [Int?] {
            try Simulation.run(seed: seed) {
                for number in 1...3 { Simulation.inject(.failure(Oops(number)), at: "a") }
                return (0..<10).map { _ in (Future(0).faultPoint("a").error as? Oops)?.number }
            }
        }
        let found = try (0..<20).map { try errors(seed: $0) }
        #expect(try found == (0..<20).map { try errors(seed: $0) })
        #expect(Set(found).count > 10)
        for errors in found {
            let injected = errors.compactMap { $0 }
            #expect(Set(injected).count == injected.count)
        }
    }

    @Test func `an exploration tries a fault each time that its point is reached`() throws {
        let seen = Log<[Bool]>()
        let exploration = try Simulation.explore {
            Simulation.inject(.cancel, at: "a")
            seen.add((0..<3).map { _ in Future(0).faultPoint("a").isCancelled })
        }
        #expect(exploration.isExhaustive)
        #expect(
            Set(seen.entries) == [
                [false, false, false], [true, false, false], [false, true, false], [false, false, true],
            ])
    }

    @Test func `a failure of an exploration has few faults, names them, and can be replayed`() throws {
        let body: () throws -> Void = {
            let balances = Shared([100, 0])
            for fault in [Fault.failure(Oops(1)), .delay(.seconds(1))] { Simulation.inject(fault, at: "transfer") }
            @Sendable func change(_ index: Int, by amount: Int) -> Future<Void> {
                Future(on: .background, immediate: { balances.change { $0[index] += amount } })
            }
            _ = try? change(0, by: -10).faultPoint("transfer").flatMap { change(1, by: 10) }.wait()
            _ = try? Future(1).faultPoint("transfer").wait()
            try Simulation.check(balances.value.reduce(0, +) == 100, "money is lost")
        }
        let failure = try #require(throws: Simulation.Failure.self) { try Simulation.explore(body) }
        let words = failure.description
        #expect(words.contains("Fault at \"transfer\": failure(Oops(number: 1)), at 0.0 seconds"), "\(words)")
        #expect(words.components(separatedBy: "Fault at").count == 2, "\(words)")
        #expect(throws: Simulation.CheckFailed.self) {
            try Simulation.replay(failure.schedule, seed: failure.seed, body)
        }
    }
}
