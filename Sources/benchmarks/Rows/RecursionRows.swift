// Recursion rows: a future that waits for one that waits for one.

import Futures

/// A future that waits for one that waits for one, and so on. What matters is that nothing piles up.
let recursionRows = [
    Row(
        name: "recursive flatMap, 1 M immediate steps", operations: 1_000_000, isOnePass: true,
        contestants: [
            Contestant(.futures) { _ in countDown(from: 1_000_000) },
            // It does pile up: its frames are on the heap.
            Contestant(.concurrency) { _ in inTask { sink = await countedDown(from: 1_000_000) } },
        ]),
    Row(
        name: "recursive flatMap, 10 M immediate steps", operations: 10_000_000, isOnePass: true,
        isLong: true,
        contestants: [
            Contestant(.futures) { _ in countDown(from: 10_000_000) }
        ]),
]

private func countDown(from start: Int) {
    guard case .success(let value) = counter(start).result else {
        fatalError("A recursion without hops must be over when it returns.")
    }
    sink = value
}

private func counter(_ value: Int) -> Future<Int> {
    Future(value).flatMap(on: .immediate) { value in
        Growth.look(at: value)
        return value == 0 ? Future(0) : counter(value - 1)
    }
}

private func countedDown(from value: Int) async -> Int {
    Growth.look(at: value)
    return value == 0 ? 0 : await countedDown(from: value - 1) &+ 1
}
