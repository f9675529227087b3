// Simulation: actors in one, and tasks that are left when one fails.

import Futures
import FuturesTesting
import Testing

private actor Visitors {
    private(set) var count = 0
    nonisolated func enter() { assumeIsolated { $0.count += 1 } }

    func occupied(_ body: @Sendable () throws -> Void) rethrows { try body() }

    func countAfter(_ future: Future<Int>) -> Future<Int> {
        future.map {
            self.enter()
            self.count += $0
            return self.count
        }
    }
}

struct SimulationTaskTests {
    @Test func `callbacks of an actor run on the actor in a simulation too`() async throws {
        let (visitors, promise) = (Visitors(), Promise<Int>())
        // Attached outside of the simulation.
        let early = await visitors.countAfter(promise.future)
        let counts = try Simulation.run(
            seed: 1,
            task: {
                let late = await visitors.countAfter(promise.future.delay(by: .seconds(60)))
                promise.succeed(10)
                return (try await early.value, try await late.value)
            })
        #expect(counts == (11, 22))
    }

    @Test func `an actor that another thread uses is not entered by the callbacks of a simulation`() async throws {
        let (visitors, promise) = (Visitors(), Promise<Int>())
        let future = await visitors.countAfter(promise.future)
        try await visitors.occupied {
            _ = try Simulation.run(seed: 1) { promise.succeed(1) }
            #expect(!future.isCompleted)
        }
        #expect(try await future.value == 2)
    }

    @Test func `callbacks of the main actor run there, and fail a simulation on another thread`() async throws {
        let (promise, called) = (Promise<Int>(), Promise<Void>())
        let line = #line - 1
        promise.future.onValue { @MainActor _ in
            MainActor.preconditionIsolated()
            called.succeed()
        }
        let error = #expect(throws: Simulation.Escaped.self) {
            try Simulation.run(seed: 1) {
                promise.succeed(1)
                try Future().delay(by: .seconds(1)).wait()
            }
        }
        #expect("\(error!)".contains("SimulationTaskTests.swift:\(line) of the main actor"), "\(error!)")
        try await called.future.value
    }

    @Test(arguments: 1...4)
    func `a task that is left when a simulation fails is cancelled, and continues outside of it`(seed: UInt64)
        async throws
    {
        let ended = (0..<3).map { _ in Promise<Void>() }
        #expect(throws: Simulation.Endless.self) {
            try Simulation.run(seed: seed, maxStepCount: 1000) {
                let tasks = ended.map { end in
                    Future(task: {
                        while !Task.isCancelled { await Task.yield() }
                        end.succeed()
                    })
                }
                _ = try join(tasks).wait()
            }
        }
        try await join(ended.map(\.future)).asVoid().value
    }
}
