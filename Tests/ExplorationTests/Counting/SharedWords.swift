// Shared words: how often sixteen threads write the same memory, counted, as these machines have few processors.

import Dispatch
import Foundation
import Futures
import Synchronization
import Testing

private let threadCount = 16
private let countPerThread = 50

/// Counts the changes of the library's atomics and the locks that are taken, not references. It explores nothing.
private final class SharedWordCounter: Explorer {
    struct Word {
        var writers: Set<UInt> = []
        var writeCount = 0
    }

    struct State {
        /// By address, until the memory is used again.
        var words: [UInt: Word] = [:]
        var writeCount = 0
        /// Of words that at least half of the threads have written.
        var commonCount = 0

        mutating func end(_ word: Word) {
            writeCount += word.writeCount
            if word.writers.count >= threadCount / 2 { commonCount += word.writeCount }
        }
    }

    private let state = Mutex(State())

    func reach(_ point: ExplorationPoint) {
        switch point {
        case .store(let word, _), .update(let word, _, _), .exchange(let word), .lock(let word):
            let (thread, word) = (UInt(bitPattern: ObjectIdentifier(Thread.current)), UInt(bitPattern: word))
            state.withLock { state in
                state.words[word, default: Word()].writers.insert(thread)
                state.words[word]!.writeCount += 1
            }
        default: break
        }
    }

    func access(_ memory: UnsafeRawPointer, _ access: ExploredAccess) {
        guard case .forget = access else { return }
        let word = UInt(bitPattern: memory)
        state.withLock { state in
            if let word = state.words.removeValue(forKey: word) { state.end(word) }
        }
    }

    /// Runs `work` on all threads at once. Returns the writes of an operation, and those of common words.
    func count(_ work: @escaping @Sendable (Int) -> Void) -> (all: Int, common: Int) {
        explorer = self
        defer { explorer = nil }
        let (start, end) = (DispatchGroup(), DispatchGroup())
        start.enter()
        for number in 0..<threadCount {
            end.enter()
            Thread.detachNewThread {
                start.wait()
                work(number)
                end.leave()
            }
        }
        start.leave()
        end.wait()
        let (all, common) = state.withLock { state in
            for word in state.words.values { state.end(word) }
            return (state.writeCount, state.commonCount)
        }
        func each(_ count: Int) -> Int { Int((Double(count) / Double(threadCount * countPerThread)).rounded()) }
        return (each(all), each(common))
    }

    var runsThisThread: Bool { false }
    var time: Duration { .zero }
    func load(_: UnsafeRawPointer, acquires _: Bool, differs _: (Int) -> Bool) -> Int { 0 }
    func exchanged(_: UnsafeRawPointer, acquires _: Bool, releases _: Bool, _: Bool) {}
    func submit(_ block: @escaping @Sendable () -> Void, to _: ObjectIdentifier, isSerial _: Bool) {
        DispatchQueue.global().async(execute: block)
    }
    func runWhatWaits() { sched_yield() }
    func setTimer(for _: Duration) {}
}

/// What each thread does a number of times.
private struct Work: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The writes of one time, and those of words that all threads write.
    let all: Int
    let common: Int
    let make: @Sendable () -> @Sendable (_ thread: Int, _ index: Int) -> Void
}

private let works = [
    Work(testDescription: "a promise with a listener", all: 8, common: 0) {
        { _, index in
            let promise = Promise<Int>()
            promise.future.onValue(on: .immediate) { _ in }
            promise.succeed(index)
        }
    },
    Work(testDescription: "a child of a join", all: 5, common: 1) {
        let promises = (0..<threadCount * countPerThread).map { _ in Promise<Int>() }
        let joined = join(promises.map(\.future))
        return { thread, index in
            withExtendedLifetime(joined) { _ = promises[thread * countPerThread + index].succeed(index) }
        }
    },
    Work(testDescription: "a turn of a queue", all: 7, common: 2) {
        let queue = FutureQueue()
        return { _, _ in queue.on(.immediate).enqueue { Future() } }
    },
    Work(testDescription: "a turn of a key of each thread", all: 8, common: 3) {
        let queues = KeyedFutureQueue<Int>()
        return { thread, _ in queues[thread].on(.immediate).enqueue { Future() } }
    },
    Work(testDescription: "a hit of a cache", all: 6, common: 1) {
        let cache = FutureCache<Int, Int>(maxCount: 100)
        for key in 0..<10 { cache.insert(key, forKey: key) }
        return { _, index in _ = cache.future(for: index % 10) { Future(index) } }
    },
]

extension ExplorationTests {
    @Suite struct SharedWords {
        @Test(arguments: works)
        fileprivate func `threads that work on the same write few words that all of them write`(_ work: Work) {
            let body = work.make()
            let counted = SharedWordCounter().count { thread in
                for index in 0..<countPerThread { body(thread, index) }
            }
            #expect(counted == (work.all, work.common))
        }
    }
}
