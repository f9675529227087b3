// mapToFuture: one future for all elements of a sequence. Contract/Combining.md

import Futures
import FuturesTesting
import Testing

/// Futures for the numbers from 0 on, which the test completes.
final class Gates: Sendable {
    let promises: [Promise<Int>]
    let begun = Log<Int>()

    init(_ count: Int) { promises = (0..<count).map { _ in Promise<Int>() } }

    func begin(_ number: Int) -> Future<Int> { begun.add(number, returning: promises[number].future) }

    func succeed(_ numbers: Int...) {
        for number in numbers { promises[number].succeed(number) }
    }

    func fail(_ number: Int) { promises[number].fail(Oops(number)) }
}

@Suite struct SequenceMapToFutureTests {
    @Test func `elements are traversed serially by default`() {
        let gates = Gates(3)
        let all = (0..<3).mapToFuture(on: .immediate) { gates.begin($0) }
        #expect(gates.begun.entries == [0])
        gates.succeed(2)
        #expect(gates.begun.entries == [0])
        gates.succeed(0)
        #expect(gates.begun.entries == [0, 1])
        gates.succeed(1)
        #expect(gates.begun.entries == [0, 1, 2])
        #expect(all.success == [0, 1, 2])
    }

    @Test(arguments: 1...5) func `at most maxConcurrentCount elements are in progress concurrently`(limit: Int) {
        let gates = Gates(12)
        let all = (0..<12).mapToFuture(on: .immediate, maxConcurrentCount: limit) { gates.begin($0) }
        for step in 0..<12 {
            #expect(gates.begun.entries == Array(0..<min(step + limit, 12)))
            gates.succeed(step)
        }
        #expect(all.success == Array(0..<12))
    }

    @Test func `the values are in the order of the elements, not of completion`() {
        let gates = Gates(6)
        let all = (0..<6).mapToFuture(on: .immediate, maxConcurrentCount: 4) { gates.begin($0) }
        gates.succeed(3, 1, 5, 4)
        #expect(all.result == nil)
        gates.succeed(0, 2)
        #expect(all.success == [0, 1, 2, 3, 4, 5])
        let unbounded = Gates(6)
        let other = (0..<6).mapToFuture(on: .immediate, maxConcurrentCount: .max) { unbounded.begin($0) }
        #expect(unbounded.begun.count == 6)
        unbounded.succeed(5, 4, 3, 2, 1, 0)
        #expect(other.success == [0, 1, 2, 3, 4, 5])
    }

    @Test func `an element is requested only when its transform can start`() {
        let (gates, asked) = (Gates(10), Shared(0))
        let numbers = Counting(asked: asked)
        let all = numbers.mapToFuture(on: .immediate, maxConcurrentCount: 2) { gates.begin($0) }
        #expect(asked.value == 2)
        gates.succeed(0)
        #expect(asked.value == 3)
        // A failure completes the traversal of an endless sequence.
        gates.fail(1)
        #expect(all.error as? Oops == Oops(1))
        #expect(asked.value == 3)
    }

    @Test func `the first error ends a traversal immediately, starts no further element and cancels the others`() {
        for cancels in [true, false] {
            let gates = Gates(9)
            let all = (0..<9).mapToFuture(on: .immediate, maxConcurrentCount: 3, cancelNonCompleted: cancels) {
                gates.begin($0)
            }
            gates.succeed(0)
            gates.fail(2)
            #expect(all.error as? Oops == Oops(2))
            #expect(gates.promises[1].future.isCancelled == cancels)
            #expect(gates.promises[3].future.isCancelled == cancels)
            gates.succeed(1, 3)
            #expect(gates.begun.entries == [0, 1, 2, 3])
        }
    }

    @Test(arguments: [true, false])
    func `while elements are being started, a failure or a cancel reaches the others behind transform`(isCancel: Bool) {
        let (time, gates, states) = (VirtualTime(), Gates(9), Log<Bool>())
        let all = Shared<Future<[Int]>?>(nil)
        all.value = (0..<9).mapToFuture(on: time.scheduler, maxConcurrentCount: 3) { number in
            defer { states.add(isCancel ? gates.promises[0].future.isCompleted : all.value!.isCompleted) }
            if number == 1, isCancel { all.value?.cancel() }
            if number == 1, !isCancel { gates.fail(0) }
            return gates.begin(number)
        }
        time.run()
        #expect(states.entries == [false, false])
        #expect(gates.begun.entries == [0, 1])
        #expect(gates.promises[0].future.isCancelled == isCancel)
        #expect(gates.promises[1].future.isCancelled)
        #expect(all.value?.isCancelled == isCancel)
        #expect(all.value?.isCompleted == true)
    }

    @Test func `a cancel ends a traversal and cancels the elements in progress`() {
        let gates = Gates(9)
        let all = (0..<9).mapToFuture(on: .immediate, maxConcurrentCount: 2) { gates.begin($0) }
        let listener = gates.promises[1].future.map(on: .immediate) { $0 }
        all.cancel()
        #expect(all.isCancelled)
        #expect(gates.promises[0].future.isCancelled)
        gates.succeed(1)
        #expect(listener.success == 1)
        #expect(gates.begun.entries == [0, 1])
    }
}

/// The numbers from 0 on. Counts how many were requested.
private struct Counting: Sequence, IteratorProtocol, Sendable {
    let asked: Shared<Int>

    mutating func next() -> Int? { asked.increment() - 1 }
}
