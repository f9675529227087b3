// Counting what is done. Contract/Foundation.md

import Foundation
import Futures
import Testing

@testable import FuturesFoundation

@Suite struct ProgressCounterTests {
    @Test func `a counter can be changed by many threads at the same time`() {
        let counter = ProgressCounter()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 {
                counter.expect(2)
                counter.add()
            }
        }
        #expect(counter.snapshot == .init(completed: 8000, total: 16000))
        #expect(counter.fraction == 0.5 && "\(counter)" == "8000 of 16000")
    }

    @Test func `a fraction is between 0 and 1, and nil without a total`() {
        #expect(ProgressCounter().fraction == nil)
        let numbers: [(Int64, Int64)] = [(5, 4), (-5, 4), (0, 0)]
        #expect(numbers.map { ProgressCounter.Snapshot(completed: $0, total: $1).fraction } == [1, 0, 1])
    }

    @Test func `an observer is called with each change, until it is disposed or released`() {
        let (counter, seen) = (ProgressCounter(total: 3), Locked<[Int64]>([]))
        var observation: Disposer? = counter.observe { seen.withLock { $0.append(counter.completed) } }
        counter.add()
        counter.add()
        observation?.dispose()
        counter.add()
        observation = counter.observe { seen.withLock { $0.append(-1) } }
        #expect(observation != nil)
        observation = nil
        counter.add()
        #expect(seen.withLock { $0 } == [1, 2])
    }

    @Test
    func `futures of a traversal are counted when they complete, also with an error, but not when they are cancelled`()
        async throws
    {
        let counter = ProgressCounter(total: 4)
        _ = try await (0..<4).mapToFuture { number in
            Future(on: .immediate, immediate: { if number == 1 { throw Oops() } }).counted(by: counter)
                .mapResult { $0 }
        }.value
        #expect(counter.fraction == 1)
        Future<Int>.never.counted(by: counter).cancel()
        _ = await Promise<Int>().future.timeout(after: .zero).counted(by: counter, as: 10).failure()
        #expect(counter.completed == 14)
        _ = await Future<Int>(error: CancellationError()).counted(by: counter).failure()
        #expect(counter.completed == 14)
    }

    @Test func `a counter is shown as a Foundation progress, whichever thread changes it`() {
        let (counter, progress) = (ProgressCounter(), Progress(totalUnitCount: 7))
        let connection = counter.connect(to: progress)
        #expect(progress.isIndeterminate)
        counter.expect(8000)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in for _ in 0..<1000 { counter.add() } }
        #expect(progress.completedUnitCount == 8000 && progress.totalUnitCount == 8000 && progress.isFinished)
        connection.dispose()
        counter.add(-1)
        #expect(progress.completedUnitCount == 8000)
    }

    @Test func `cancelling a Foundation progress cancels the future`() async throws {
        let (cancelled, source, progress) = (Gate(), Promise<Int>(), Progress(totalUnitCount: 1))
        let future = source.future.onCancel(on: .immediate) { cancelled.open() }.cancelled(by: progress)
        progress.cancel()
        #expect(await future.failure() is CancellationError)
        try await cancelled.future.value
        #expect(await Future<Int>.never.cancelled(by: progress).failure() is CancellationError)
        #expect(try await Future(1).cancelled(by: Progress(totalUnitCount: 1)).value == 1)
    }
}
