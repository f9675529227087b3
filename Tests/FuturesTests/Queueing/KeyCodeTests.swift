// Keys that equal no other key.

import Futures
import Testing

/// A key that equals no key, not even itself.
private struct UnequalKey: Hashable, Sendable {
    func hash(into hasher: inout Hasher) {}
    static func == (a: UnequalKey, b: UnequalKey) -> Bool { false }
}

@Suite struct KeyCodeTests {
    @Test func `an operation gives back its turn whatever its key returns for == and hash`() {
        let (queue, gate) = (KeyedFutureQueue<UnequalKey>(maxConcurrentCount: 2), Promise<Int>())
        let futures = (0..<4).map { _ in queue[UnequalKey()].on(.immediate).enqueue { gate.future } }
        #expect([queue.runningCount, queue.keyCount] == [2, 4])
        futures[2].cancel()
        gate.succeed(1)
        #expect(futures.map(\.isCancelled) == [false, false, true, false])
        #expect([queue.runningCount, queue.keyCount] == [0, 0])

        let cache = FutureCache<UnequalKey, Int>(maxCount: 2)
        for value in 0..<4 {
            #expect(cache.future(on: .immediate, for: UnequalKey()) { Future(value) }.success == value)
        }
        cache.removeValue(forKey: UnequalKey())
        #expect(cache.count == 2)
    }
}
