// Reading and releasing: one thread's read of a result happens before another thread's release of it.

import Foundation
import Synchronization
import Testing

@testable import Futures

/// A point that a thread has reached, reported to another thread by relaxed accesses. These order nothing, so the
/// thread sanitizer sees only the ordering that the library provides.
private final class Mark: Sendable {
    private let isReached = Atomic(false)

    func reach() { isReached.store(true, ordering: .relaxed) }

    func wait(location: Testing.SourceLocation = #_sourceLocation) {
        let end = ContinuousClock.now + testTimeout
        while !isReached.load(ordering: .relaxed) {
            guard ContinuousClock.now < end else {
                Issue.record("The other thread did not get there.", sourceLocation: location)
                return
            }
            sched_yield()
        }
    }
}

/// Runs `reading` on another thread and `meanwhile` on this one, then `releasing`, which only the library orders after
/// the reading.
private func check(
    reading: @escaping @Sendable () -> Void, meanwhile: () -> Void = {}, releasing: () -> Void
) {
    let (begin, over, end) = (Mark(), Mark(), Mark())
    Thread.detachNewThread {
        // Starting a thread orders it after this one and, for a moment, this one after it.
        begin.wait()
        reading()
        over.reach()
        // The sanitizer forgets the accesses of a thread that has exited.
        end.wait()
    }
    begin.reach()
    meanwhile()
    over.wait()
    releasing()
    end.reach()
}

// These tests fail by a report of the thread sanitizer; without it, they detect nothing.
@Suite struct ReadOrderTests {
    /// Returns a future whose result may be released early: its type is not trivial, and the future can be repeated.
    private func mapped(_ source: Future<Int>) -> Future<[Int]> {
        source.map(on: .immediate) { [$0] }
    }

    @Test(arguments: [false, true])
    func `a step that is cancelled in its job has read its source before the result is released`(isFlat: Bool) {
        let (promise, pending, called, cancelled) = (Promise<Int>(), Promise<Int>(), Mark(), Mark())
        let source = mapped(promise.future)
        let transform: @Sendable ([Int]) -> Int = { numbers in
            called.reach()
            cancelled.wait()
            return numbers.count
        }
        var step: Future<Int>? = source.map(on: .immediate, transform)
        if isFlat {
            step = source.flatMap(on: .immediate) { numbers in
                _ = transform(numbers)
                return pending.future
            }
        }
        check {
            promise.succeed(1)
        } meanwhile: {
            called.wait()
            step?.cancel()
            cancelled.reach()
        } releasing: {
            // Deallocated by this thread, which publishes the reads of its job.
            step = nil
            source.node.releaseValue()
        }
    }

    @Test func `a combination has read its futures before their results are released`() {
        let (promise, last) = (Promise<Int>(), Promise<Int>())
        let source = mapped(promise.future)
        // Released by the thread that reads.
        let all = Shared<Future<([Int], Int)>?>(join(source, last.future))
        check {
            promise.succeed(1)
            last.succeed(2)
            all.value = nil
        } releasing: {
            source.node.releaseValue()
        }
    }

    @Test func `a first passes on the futures that have succeeded, and adds no late success`() {
        var race = Race(wanted: 2, count: 4)
        guard case .wait = race.arrive(2, isSuccess: true), case .succeed(let winners) = race.arrive(0, isSuccess: true)
        else {
            Issue.record("Two have succeeded.")
            return
        }
        #expect(winners == [2, 0])
        #expect(race.winners == nil)
        guard case .wait = race.arrive(1, isSuccess: true), case .wait = race.arrive(3, isSuccess: true) else {
            Issue.record("It has completed.")
            return
        }
        #expect(race.winners == nil)
    }
}
