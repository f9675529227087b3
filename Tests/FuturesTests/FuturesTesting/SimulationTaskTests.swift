// Simulation: tasks that are left when one fails. Contract/Simulation.md

import Futures
import FuturesTesting
import Testing

private actor Till {
    private var count = 0

    func take() -> Int {
        count += 1
        return count
    }
}

struct SimulationTaskTests {
    @Test(arguments: 1...16)
    func `an actor can be used after a simulation that has failed in the midst of it`(seed: UInt64) async throws {
        let till = Till()
        #expect(throws: Simulation.Endless.self) {
            try Simulation.run(seed: seed, maxStepCount: 1000) {
                let tasks = (0..<2).map { _ in
                    Future(task: { while !Task.isCancelled { _ = await till.take() } })
                }
                _ = try join(tasks).wait()
            }
        }
        #expect(await till.take() > 0)
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

    @Test func `a task that waits when a simulation ends is not cancelled`() async throws {
        let promise = Promise<Int>()
        let future = try Simulation.run(seed: 1) { Future(task: { try await promise.future.value }) }
        #expect(!future.isCompleted)
        promise.succeed(1)
        #expect(try await future.value == 1)
    }
}
