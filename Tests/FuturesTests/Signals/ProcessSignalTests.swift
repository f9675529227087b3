// Signals of the process. Each test sends them to a process of its own. Contract/Dispatch.md

import Foundation
import Testing

@testable import Futures

@Suite struct ProcessSignalTests {
    @Test func `a signal completes its future and does not end the process`() async {
        await #expect(processExitsWith: .exitCode(7)) { try await Scenario.future() }
    }

    @Test func `a signal completes all futures that wait for it, and a repetition waits for the next signal`() async {
        await #expect(processExitsWith: .exitCode(7)) { try await Scenario.repetition() }
    }

    @Test func `a signal has its previous effect again when no future of it waits or is retained`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) { try await Scenario.leaving() }
    }

    @Test func `a stream of a signal has each signal until the iteration ends`() async {
        await #expect(processExitsWith: .signal(SIGHUP)) { await Scenario.stream() }
    }

    @Test func `cancelling the task that iterates over a signal ends the iteration and stops watching the signal`()
        async
    {
        await #expect(processExitsWith: .signal(SIGHUP)) { await Scenario.cancelling() }
    }
}

/// What the child processes do.
private enum Scenario {
    static func future() async throws {
        let future = ProcessSignal.interrupt.future()
        kill(getpid(), SIGINT)
        exit(try await future.value == .interrupt ? 7 : 1)
    }

    static func repetition() async throws {
        let (one, two) = (ProcessSignal.terminate.future(), ProcessSignal.terminate.future())
        kill(getpid(), SIGTERM)
        _ = try await two.value
        let again = one.onValueRepeat(on: .immediate, maxRepetitions: 1) { _ in true }
        // The repetition is pending: it started before `one` could be awaited.
        _ = try await one.value
        if again.isCompleted { exit(1) }
        kill(getpid(), SIGTERM)
        _ = try await again.value
        exit(7)
    }

    static func leaving() async throws {
        func hear() async throws {
            let (one, two) = (ProcessSignal.terminate.future(), ProcessSignal.terminate.future())
            one.cancel()
            kill(getpid(), SIGTERM)
            _ = try await two.value
        }
        try await hear()
        // The thread that completed the future may retain it a little longer.
        while true {
            kill(getpid(), SIGTERM)
            await Task.yield()
        }
    }

    static func stream() async {
        var count = 0
        for await signal in interrupted(ProcessSignal.hangUp.stream()) {
            precondition(signal == .hangUp)
            count += 1
            if count == 3 { break }
            kill(getpid(), SIGHUP)
        }
        // The stream was released with the loop.
        while true {
            kill(getpid(), SIGHUP)
            await Task.yield()
        }
    }

    static func cancelling() async {
        let task = Task { for await _ in interrupted(ProcessSignal.hangUp.stream()) { kill(getpid(), SIGHUP) } }
        // The loop receives some of the signals.
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        await task.value
        for _ in 0..<100_000 {
            kill(getpid(), SIGHUP)
            await Task.yield()
        }
        exit(1)
    }

    /// Sends a signal before the loop starts.
    private static func interrupted(_ stream: AsyncStream<ProcessSignal>) -> AsyncStream<ProcessSignal> {
        kill(getpid(), SIGHUP)
        return stream
    }
}
