// Recursion rows: recursive flatMaps.

import Futures

/// Recursive flatMaps: each future waits for the next one. They must accumulate neither stack nor memory.
let recursionRows = lengths.map(immediateRow) + lengths.map(asynchronousRow)

private let lengths = [1000, 10_000, 100_000, 1_000_000, 10_000_000]

/// Returns a row in which each step returns a completed future.
private func immediateRow(_ count: Int) -> Row {
    let ours = Contestant(.futures) { passes in
        for _ in 0..<passes { countDown(from: count) }
    }
    // This does accumulate memory: the frames of async functions are on the heap.
    let theirs = Contestant(.concurrency) { passes in
        inTask {
            for _ in 0..<passes { sink = await countedDown(from: count) }
        }
    }
    return Row(
        name: "recursive flatMap, \(count.short) immediate steps", operations: count, isOnePass: count >= 100_000,
        isLong: count > 1_000_000, series: "recursive flatMap, immediate",
        contestants: count == 1_000_000 ? [ours, theirs] : [ours])
}

private func countDown(from start: Int) {
    guard case .success(let value) = counter(start).result else {
        fatalError("A recursion without hops must be over when it returns.")
    }
    sink = value
}

private func counter(_ value: Int) -> Future<Int> {
    Future(value).flatMap(on: .immediate) { value in
        Held.look(at: value)
        return value == 0 ? Future(0) : counter(value - 1)
    }
}

private func countedDown(from value: Int) async -> Int {
    Held.look(at: value)
    return value == 0 ? 0 : await countedDown(from: value - 1) &+ 1
}

/// Returns a row in which each step returns a pending future, which completes later.
private func asynchronousRow(_ count: Int) -> Row {
    Row(
        name: "recursive flatMap, \(count.short) asynchronous steps", operations: count, isOnePass: count >= 100_000,
        isLong: count > 1_000_000, series: "recursive flatMap, asynchronous",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let end = laterCounter(count)
                    while let promise = pending.take() {
                        Held.look(at: remaining)
                        promise.succeed(remaining)
                    }
                    precondition(end.isCompleted)
                }
            }
        ])
}

private nonisolated(unsafe) var pending: Promise<Int>?
private nonisolated(unsafe) var remaining = 0

private func laterCounter(_ value: Int) -> Future<Int> {
    guard value > 0 else { return Future(0) }
    let promise = Promise<Int>()
    pending = promise
    remaining = value - 1
    return promise.future.flatMap(on: .immediate) { laterCounter($0) }
}
