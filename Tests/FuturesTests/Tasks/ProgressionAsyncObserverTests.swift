// Progressions whose stages are observed asynchronously.

import Futures
import Testing

@Suite struct ProgressionAsyncObserverTests {
    @Test func `an asynchronous observer is waited for at every stage, including the first and the last`() async throws
    {
        let log = Log<String>()
        let result = try await Walk(limit: 2, log: log).run { stage in
            log.add("\(stage.number) seen")
            for _ in 0..<3 { await Task.yield() }
            log.add("\(stage.number) stored")
            return true
        }.value
        #expect(result == 2)
        #expect(log.entries == ["0 seen", "0 stored", "0 runs", "1 seen", "1 stored", "1 runs", "2 seen", "2 stored"])
    }

    @Test func `an asynchronous observer that returns false or throws ends the run`() async {
        let log = Log<String>()
        let stopped = Walk(limit: 9, log: log).run { stage in
            await Task.yield()
            return stage.number < 1
        }
        await #expect(throws: CancellationError.self) { try await stopped.value }
        let failed = Walk(limit: 9, log: log).run { stage in
            await Task.yield()
            throw Oops(stage.number)
        }
        await #expect(throws: Oops(0)) { try await failed.value }
        #expect(log.entries == ["0 runs"])
    }

    @Test
    func `a run that is cancelled during its asynchronous observer cancels the observer's task, and no stage follows`()
        async throws
    {
        let (log, started, pending) = (Log<String>(), Promise<Void>(), Promise<Void>())
        let run = Walk(limit: 9, log: log).run { _ in
            started.succeed()
            do { try await pending.future.value } catch { log.add(Task.isCancelled ? "cancelled" : "failed") }
            return true
        }
        try await started.future.value
        #expect(run.cancel())
        #expect(await comesTrue { log.entries == ["cancelled"] })
        #expect(run.isCancelled)
        withExtendedLifetime(pending) {}
    }
}
