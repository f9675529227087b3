// Simulation: concurrent code on one thread, in an order that a seed decides. Contract/Testing.md

import Foundation
import Futures
import FuturesTesting
import Testing

@Suite struct SimulationTests {
    @MainActor private func order(seed: UInt64) throws -> [Int] {
        try Simulation.run(seed: seed) {
            let (log, own) = (Log<Int>(), Scheduler(label: "own"))
            let schedulers = [
                .main, Scheduler(label: "other"), .background, own,
                Scheduler(label: "concurrent", attributes: .concurrent),
            ]
            for (index, scheduler) in schedulers.enumerated() {
                Future(1).onValue(on: scheduler) { _ in log.add(index) }
                Future(1).onValue(on: scheduler) { _ in log.add(index + 10) }
            }
            #expect(log.entries == [])
            _ = try Future(1).delay(by: .seconds(3600)).wait()
            #expect(Simulation.elapsed == .seconds(3600))
            return log.entries
        }
    }

    @MainActor @Test func `the same seed gives the same run, and others give other runs`() throws {
        let orders = try (0..<20).map { try order(seed: $0) }
        #expect(try orders == (0..<20).map { try order(seed: $0) })
        #expect(Set(orders).count > 10)
        for order in orders {
            #expect(order.sorted() == [0, 1, 2, 3, 4, 10, 11, 12, 13, 14])
            // Those of a serial scheduler in their order.
            for index in [0, 1, 3] { #expect(order.firstIndex(of: index)! < order.firstIndex(of: index + 10)!) }
        }
        #expect(orders.contains { $0.firstIndex(of: 12)! < $0.firstIndex(of: 2)! })
    }

    @MainActor @Test func `time passes at once, and only when no job can run`() throws {
        try Simulation.run(seed: 1) {
            let log = Log<String>()
            let start = Scheduler.background.now
            Future(1).delay(by: .seconds(60), on: .background).onValue(on: .immediate) { _ in log.add("minute") }
            Scheduler.main.async(after: .milliseconds(1)) { log.add("millisecond") }
            Scheduler.background.async { log.add("now") }
            let promise = Promise<Int>()
            #expect(throws: FutureError.self) { try promise.future.timeout(after: .seconds(100)).wait() }
            #expect(log.entries == ["now", "millisecond", "minute"])
            #expect(Scheduler.main.now - start == .seconds(100))
        }
    }

    @MainActor @Test func `a timer that is disposed as its time comes does not call its work`() throws {
        try Simulation.run(seed: 1) {
            let (scheduler, log, timer) = (Scheduler(label: "own"), Log<String>(), Shared<(any Disposable)?>(nil))
            scheduler.async(after: .seconds(10)) { timer.value?.dispose() }
            timer.value = scheduler.async(after: .seconds(10)) { log.add("called") }
            try Future(1).delay(by: .seconds(30), on: scheduler).wait()
            #expect(log.entries == [])
        }
    }

    @MainActor @Test func `a wait runs other jobs, and its time limit is virtual`() throws {
        try Simulation.run(seed: 3) {
            let value = try Future(on: .background, immediate: { 1 })
                .map(on: .main) { try Future(on: .background, immediate: { 2 }).wait() + $0 }
                .wait()
            #expect(value == 3)
            let promise = Promise<Int>()
            #expect(throws: FutureError.self) { try promise.future.wait(timeout: .seconds(50)) }
            #expect(Simulation.elapsed == .seconds(50))
        }
    }

    @MainActor @Test func `a wait for what nothing completes throws and says what it waits for`() {
        let kept = #expect(throws: Simulation.Stuck.self) {
            try Simulation.run(seed: 0) {
                let promise = Promise<Int>()
                defer { promise.succeed(1) }
                return try promise.future.map { $0 }.wait()
            }
        }
        #expect("\(kept!)".contains("a completion of the future made at FuturesTests/SimulationTests.swift"))
        let blocked = #expect(throws: Simulation.Stuck.self) {
            try Simulation.run(seed: 0) {
                try Future(1).map(on: .main) { _ in
                    try Future(2).map(on: .background) { $0 }.map(on: .main) { $0 }.wait()
                }.wait()
            }
        }
        #expect("\(blocked!)".contains("1 callbacks on Scheduler(com.apple.main-thread)"), "\(blocked!)")
    }

    @Test func `random delays of retries come from the seed`() throws {
        func delays(_ seed: UInt64) throws -> Duration {
            try Simulation.run(seed: seed) {
                let attempts = Shared(0)
                let backoff = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(9)).jittered()
                let future = Future<Void>(on: .immediate, immediate: { if attempts.increment() < 5 { throw Oops() } })
                try future.retry(RetryPolicy(backoff, maxRepetitions: 10)).wait()
                return Simulation.elapsed
            }
        }
        #expect(try delays(1) == delays(1))
        #expect(try delays(1) != delays(2))
    }

    @Test func `tasks of futures, and actors in them, run in a simulation`() throws {
        func run(_ seed: UInt64) throws -> [Int] {
            try Simulation.run(seed: seed) {
                let (list, queue) = (List(), FutureQueue())
                let all = (0..<5).map { number in
                    queue.run { await list.add(number) }
                        .flatMap { Future { await list.add(number + 10) } }
                        .delay(by: .seconds(1))
                }
                _ = try join(all).wait()
                return try Future { await list.entries }.wait()
            }
        }
        let runs = try (0..<20).map { try run($0) }
        #expect(try runs == (0..<20).map { try run($0) })
        #expect(Set(runs).count > 3)
        let value = try Simulation.run(
            seed: 5,
            task: { try await Future(1).delay(by: .seconds(1000)).map { $0 + 1 }.value })
        #expect(value == 2)
    }

    @Test func `a task that another thread resumes fails the simulation`() {
        #expect(throws: Simulation.Escaped.self) {
            try Simulation.run(seed: 0) {
                let (entered, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let future = Future {
                    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                        Thread.detachNewThread {
                            entered.wait()
                            continuation.resume()
                            left.signal()
                        }
                    }
                }
                Future(1).delay(by: .seconds(1)).onValue { _ in
                    entered.signal()
                    left.wait()
                }
                try future.wait()
            }
        }
    }

    @Test func `an endless repetition fails the simulation`() {
        #expect(throws: Simulation.Endless.self) {
            try Simulation.run(seed: 0, maxStepCount: 500) {
                _ = Future(1).delay(by: .seconds(1)).onValueRepeat { _ in true }
            }
        }
    }

    @Test func `an error of the closure is passed on, and nothing stays in memory`() {
        let census = Census()
        #expect(throws: Oops(1)) {
            try Simulation.run(seed: 0) {
                let captured = census.make()
                let queue = FutureQueue()
                queue.enqueue { Future(1).delay(by: .seconds(1)).map { captured.pass($0) } }
                queue.enqueue { Future(1).map { captured.pass($0) } }
                _ = Future(1).delay(by: .seconds(2)).map { captured.pass($0) }
                _ = Future { captured.touch() }.delay(by: .seconds(3))
                throw Oops(1)
            }
        }
        #expect(census.alive == 0)
    }
}

private actor List {
    var entries: [Int] = []
    func add(_ entry: Int) { entries.append(entry) }
}
