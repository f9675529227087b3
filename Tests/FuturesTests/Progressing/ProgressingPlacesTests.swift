// Schedulers of Deferreds and progressions: the one given with on:, or that of the start.

import Futures
import FuturesTesting
import Testing

/// Each test has schedulers of its own, which differ from all others.
@Suite struct ProgressingPlacesTests {
    private let start = Scheduler(label: "start")
    private let other = Scheduler(label: "other")

    /// Returns the scheduler on which a run's closure was called when the run was started on `start`.
    private func place<T: Sendable>(
        of make: (@escaping @Sendable () -> Scheduler) -> Deferred<T>
    ) throws -> Scheduler {
        let place = Shared<Scheduler?>(nil)
        let deferred = make {
            place.value = .current
            return .current
        }
        _ = try deferred.start(on: start).wait(timeout: testTimeout)
        return try #require(place.value)
    }

    @Test func `each closure of a deferred is called on the scheduler given with on:`() throws {
        let failed = Deferred<Scheduler>(error: Oops(1))
        let done = Deferred(1)
        #expect(try place { here in Deferred(on: other) { here() } } == other)
        #expect(try place { here in done.map(on: other) { _ in here() } } == other)
        #expect(try place { here in done.flatMap(on: other) { _ in Deferred(here()) } } == other)
        #expect(try place { here in failed.recover(on: other) { _ in here() } } == other)
        #expect(try place { here in failed.flatMapError(on: other) { _ in Deferred(here()) } } == other)
        #expect(try place { here in Deferred.future(on: other) { resolve in resolve { here() } } } == other)
        #expect(try place { here in Deferred.following(on: other) { Future(here()) } } == other)
        let operation = try place { here in
            Deferred<Scheduler>.operation(on: other) { completion in
                completion(.success(here()))
                return NilDisposer()
            }
        }
        #expect(operation == other)
    }

    @Test func `without on:, each closure of a deferred is called where the deferred was started`() throws {
        let failed = Deferred<Scheduler>(on: other) { throw Oops(1) }
        let done = Deferred(on: other) { 1 }
        #expect(try place { here in Deferred { here() } } == start)
        #expect(try place { here in done.map { _ in here() } } == start)
        #expect(try place { here in done.flatMap { _ in Deferred(here()) } } == start)
        #expect(try place { here in failed.recover { _ in here() } } == start)
        #expect(try place { here in failed.flatMapError { _ in Deferred(here()) } } == start)
        #expect(try place { here in Deferred.future { resolve in resolve { here() } } } == start)
        #expect(try place { here in Deferred.following { Future(here()) } } == start)
    }

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
