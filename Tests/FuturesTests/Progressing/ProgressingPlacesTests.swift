// Schedulers of Deferreds and progressions: the one given with on:, or that of the start.

import Futures
import Testing

/// Each test has schedulers of its own, which differ from all others.
@Suite struct ProgressingPlacesTests {
    private let start = Scheduler(label: "start")
    private let other = Scheduler(label: "other")

    /// A progression that records where its stage is described, where the stage runs, and where its result is read.
    private struct Place: Progression {
        let here: @Sendable () -> Scheduler
        var log: Log<Scheduler>?
        var away: Scheduler?
        var left = 2

        func next() -> Deferred<Place> {
            log?.add(.current)
            return Deferred(on: away) { left == 2 ? here() : .current }.map(on: away) { _ in
                var next = self
                next.left -= 1
                return next
            }
        }

        var result: Int? { left == 0 ? 0 : nil }
    }

    @Test func `stages are described and observed on the run's scheduler, wherever each stage runs`() throws {
        let (described, asked, ran) = (Log<Scheduler>(), Log<Scheduler>(), Log<Scheduler>())
        let run = Place(
            here: {
                ran.add(.current)
                return .current
            }, log: described, away: other
        ).run(on: start) { _ in
            asked.add(.current)
            return true
        }
        #expect(try run.wait(timeout: testTimeout) == 0)
        #expect(described.entries == [start, start])
        #expect(asked.entries == [start, start, start])
        #expect(ran.entries == [other])
    }
}
