// Signals of the process. Each test sends them to a process of its own. Contract/Dispatch.md

import Foundation
import Futures
import FuturesFoundation
import Testing

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

    @Test func `a process that has no file left for signals traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #else
                setrlimit(RLIMIT_NOFILE, &limit)
            #endif
            _ = ProcessSignal(SIGTERM).future()
        }
        #expect(result.said.contains("too many files are open"))
    }

    @Test func `a signal that cannot be caught traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ProcessSignal(SIGKILL)
        }
        #expect(result.said.contains("cannot be caught. Use a signal that can be, such as SIGTERM."))
    }

    @Test func `a signal that arrives while some of its futures are cancelled reaches the others`() async {
        // By default it has no effect, so it may arrive when nothing waits for it.
        let signal = ProcessSignal(SIGWINCH)
        for _ in 0..<25 {
            let (left, kept) = (signal.future(), signal.future())
            let loop = Task { for await other in signal.stream() { #expect(other == signal) } }
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                switch thread {
                case 0: kill(getpid(), SIGWINCH)
                case 1: left.cancel()
                case 2: loop.cancel()
                default: signal.future().cancel()
                }
            }
            let (heard, end) = (await kept.arrival(), await left.arrival())
            #expect((try? heard.get()) == signal)
            if case .failure(let error) = end { #expect(error is CancellationError) }
            await loop.value
        }
    }
}

extension ExitTest.Result? {
    fileprivate var said: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }
}

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
        let again = one.onValueRepeat(maxRepetitions: 1) { _ in true }
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
