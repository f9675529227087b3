// The start of a traversal, and its iterator: threads and cancels meanwhile.

import Dispatch
import Foundation
import Futures
import Testing

@Suite struct TraversalStartTests {
    /// The numbers from 0 on. Signals that `slow` is requested, blocks until `goesOn` is sent, and signals its own
    /// deallocation.
    private final class Numbers: Sequence, IteratorProtocol, @unchecked Sendable {
        let (requested, goesOn, released) = (Signal(), Signal(), Signal())
        private let slow: Int
        private var number = 0

        init(slow: Int) { self.slow = slow }

        func next() -> Int? {
            defer { number += 1 }
            if number == slow {
                requested.send()
                #expect(goesOn.comes())
            }
            return number
        }

        deinit { released.send() }
    }

    @Test func `while an element is being requested, a traversal starts nothing and stores nothing per element`() {
        let numbers = Numbers(slow: 2)
        let (first, started, returns) = (Promise<Int>(), DispatchSemaphore(value: 0), Shared(false))
        Thread.detachNewThread {
            // Without this time limit, a start that never stops would exhaust the memory.
            returns.value = started.wait(timeout: .now() + 2) == .success
            numbers.goesOn.send()
        }
        let all = numbers.mapToFuture(on: .immediate, maxConcurrentCount: .max) { number -> Future<Int> in
            if number == 0 { return first.future }
            if number == 1 {
                Thread.detachNewThread { first.succeed(0) }
                #expect(numbers.requested.comes())
            }
            if number == 6 { throw Oops(6) }
            return Future(number)
        }
        started.signal()
        #expect(throws: Oops(6)) { try all.wait(timeout: testTimeout) }
        #expect(returns.value)
    }

    @Test func `elements after one that another thread requests are started concurrently, up to maxConcurrentCount`()
        async
    {
        let (elements, first, gates) = (Numbers(slow: 2), Promise<Int>(), Gates(9))
        let all = elements.mapToFuture(on: .immediate, maxConcurrentCount: 5) { number -> Future<Int> in
            if number == 0 { return first.future }
            if number == 1 {
                Thread.detachNewThread { first.succeed(0) }
                #expect(elements.requested.comes())
            }
            if number == 8 { throw Oops(8) }
            return gates.begin(number)
        }
        #expect(gates.begun.entries == [1])
        elements.goesOn.send()
        #expect(await comesTrue { gates.begun.count == 5 })
        #expect(gates.begun.entries.sorted() == [1, 2, 3, 4, 5])
        gates.succeed(4)
        #expect(gates.begun.entries.sorted() == [1, 2, 3, 4, 5, 6])
        gates.succeed(1, 2)
        #expect(all.error as? Oops == Oops(8))
        // By the thread that starts the elements, if that has not added this one to those that have started.
        #expect(await comesTrue { gates.promises[3].future.isCancelled })
    }
}

extension TraversalStartTests {
    @Test(arguments: TraversalKind.allCases, [Scheduler.immediate, Scheduler(label: "traversal")])
    func `a traversal that is cancelled requests no more elements, even if all are complete`(
        kind: TraversalKind, scheduler: Scheduler
    ) {
        // A chain passes on the result of a traversal without a node of that, if the traversal was returned by a
        // closure.
        for isReturned in [false, true] {
            let (gate, started, traversal) = (Promise<Void>(), AtomicCounter(), Shared<Future<Void>?>(nil))
            let cancelled = Signal()
            let start: @Sendable () -> Future<Void> = {
                kind.start(0..<2000, on: scheduler) { number in
                    // As many as can start at first.
                    if number < 4, kind == .four || number < 2 && kind == .results || number == 0 { return gate.future }
                    if started.up() == 5 { #expect(traversal.value?.cancel() == true) }
                    return Future()
                }
            }
            let future = isReturned ? Future<Void>().flatMap(on: .immediate, start) : start()
            traversal.value = future.onCancel(on: .immediate) { cancelled.send() }
            gate.succeed()
            #expect(cancelled.comes())
            scheduler.sync {}
            #expect(started.value == 5)
            traversal.value = nil
        }
    }
}
