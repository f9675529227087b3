// Keys: user code runs when a key is hashed or compared. Contract/KeyedQueues.md

import Futures
import Testing

/// A key that calls `code` whenever it is hashed or compared. All keys have the same hash.
private struct CallingKey: Hashable, Sendable {
    let number: Int
    let code: Shared<(@Sendable () -> Void)?>

    func hash(into hasher: inout Hasher) { code.value?() }

    static func == (a: CallingKey, b: CallingKey) -> Bool {
        a.code.value?()
        return a.number == b.number
    }
}

/// A key that equals no key, not even itself.
private struct UnequalKey: Hashable, Sendable {
    func hash(into hasher: inout Hasher) {}
    static func == (a: UnequalKey, b: UnequalKey) -> Bool { false }
}

@Suite struct KeyCodeTests {
    private let code = Shared<(@Sendable () -> Void)?>(nil)

    private func key(_ number: Int) -> CallingKey { CallingKey(number: number, code: code) }

    /// Makes keys call `body` up to a hundred times, but not from within `body`.
    // Without the limit, a search would never find a key that is replaced by another one of the same hash at each
    // comparison.
    private func letKeysCall(_ body: @escaping @Sendable () -> Void) {
        let rest = Shared(100)
        code.value = { [code] in
            guard let call = code.value else { return }
            code.value = nil
            body()
            let count = rest.change { count in
                count -= 1
                return count
            }
            if count > 0 { code.value = call }
        }
    }

    /// Calls every method of a queue, a cache and a single flight that takes a key.
    private struct Shelf: Sendable {
        let queue = KeyedFutureQueue<CallingKey>()
        let cache = FutureCache<CallingKey, Int>(maxCount: 2)
        let flights = SingleFlight<CallingKey, Int>()

        func use(_ key: CallingKey) {
            let gate = Promise<Int>()
            let first = queue[key].on(.immediate).enqueue { gate.future }
            let second = queue[key].on(.immediate).enqueue(with: .waitTimeout(.seconds(1000))) { Future(2) }
            queue[key].on(.immediate).enqueue({ Future(3) }, finally: { _, _ in Future() })
            queue[key].on(.immediate).run { 4 }
            second.cancel()
            _ = first.deferred.start(on: .immediate)
            queue[key].cancelAll()
            let flight = flights.future(on: .immediate, for: key) { gate.future }
            _ = flights.future(on: .immediate, for: key) { Future(2) }
            flights.forget(key)
            flight.cancel()
            _ = cache.future(on: .immediate, for: key) { gate.future }
            gate.succeed(1)
            _ = cache.future(on: .immediate, for: key) { Future(2) }
            cache.removeValue(forKey: key)
            _ = cache.future(on: .immediate, for: key) { Future(3) }
        }
    }

    @Test func `no lock is held while a key is hashed or compared`() {
        let (shelf, passed, failed) = (Shelf(), Shared(0), Shared(0))
        shelf.use(key(0))
        letKeysCall { [other = key(1)] in
            guard failed.value == 0 else { return }
            if onAnotherThread({ shelf.use(other) }) { passed.increment() } else { failed.increment() }
        }
        let hasEnded = onAnotherThread { [key = key(0)] in shelf.use(key) }
        #expect(hasEnded)
        code.value = nil
        #expect(passed.value > 0)
        #expect(failed.value == 0)
        #expect(shelf.queue.isEmpty)
        #expect(shelf.queue.keyCount == 0)
    }

    @Test func `a key may use its queue or cache when it is hashed or compared`() {
        let (shelf, calls) = (Shelf(), Shared(0))
        shelf.use(key(0))
        letKeysCall { [keys = [key(0), key(1)]] in
            for key in keys { shelf.use(key) }
            calls.increment()
        }
        let hasEnded = onAnotherThread { [key = key(0)] in shelf.use(key) }
        #expect(hasEnded)
        code.value = nil
        #expect(calls.value > 0)
        #expect(shelf.queue.isEmpty)
        #expect(shelf.queue.keyCount == 0)
    }

    @Test func `an operation gives back its turn whatever its key returns for == and hash`() {
        let queue = KeyedFutureQueue<UnequalKey>(maxConcurrentCount: 2)
        let gates = (0..<4).map { _ in Promise<Int>() }
        let futures = gates.map { gate in queue[UnequalKey()].on(.immediate).enqueue { gate.future } }
        #expect(queue.runningCount == 2)
        #expect(queue.keyCount == 4)
        futures[2].cancel()
        for gate in gates { gate.succeed(1) }
        #expect(futures.map(\.isCancelled) == [false, false, true, false])
        #expect(queue.isEmpty)
        #expect(queue.keyCount == 0)

        let cache = FutureCache<UnequalKey, Int>(maxCount: 2)
        for value in 0..<4 {
            #expect(cache.future(on: .immediate, for: UnequalKey()) { Future(value) }.success == value)
        }
        #expect(cache.count == 2)
        cache.removeValue(forKey: UnequalKey())
        #expect(cache.count == 2)
    }
}
