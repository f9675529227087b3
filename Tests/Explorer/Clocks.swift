// Clocks: which accesses happen before which others, as the orderings of atomics promise.

import Futures

/// For each thread the number of its steps that have happened before. Up to four threads.
typealias Clock = SIMD4<UInt32>

extension Clock {
    mutating func join(_ other: Clock) { self = pointwiseMax(self, other) }
}

/// Vector clocks, after Lamport and Mattern; accesses are checked as by FastTrack (Flanagan and Freund 2009).
///
/// What the reference counts order does not count.
struct Clocks {
    /// The last accesses to memory: a step of the thread that has written, and of each that has read since.
    private struct History {
        var writer = -1
        var written: UInt32 = 0
        var read = Clock()
    }

    private var threads: [Clock]
    /// What stores behind a releasing fence release.
    private var fences: [Clock]
    private var atomics: [UnsafeRawPointer: Stores] = [:]
    private var locks: [UnsafeRawPointer: Clock] = [:]
    private var memory: [UnsafeRawPointer: History] = [:]

    init(threads count: Int) {
        threads = (0..<count).map { index in
            var clock = Clock()
            clock[index] = 1
            return clock
        }
        fences = Array(repeating: Clock(), count: count)
    }

    /// `thread` does what `point` announces, unless that is an access to an atomic.
    mutating func reach(_ point: ExplorationPoint, by thread: Int) {
        switch point {
        case .fence:
            fences[thread] = threads[thread]
            threads[thread][thread] += 1
        case .lock(let lock): acquire(from: lock, by: thread)
        case .unlock(let lock): release(to: lock, by: thread)
        case .load, .store, .update, .exchange, .askUnique, .wait: break
        }
    }

    /// `thread` learns what others have released to `lock`.
    mutating func acquire(from lock: UnsafeRawPointer, by thread: Int) {
        if let released = locks[lock] { threads[thread].join(released) }
    }

    mutating func release(to lock: UnsafeRawPointer, by thread: Int) {
        locks[lock, default: Clock()].join(threads[thread])
        threads[thread][thread] += 1
    }

    /// How many of the last stores to `atomic` a load by `thread` may miss.
    func unseenCount(of atomic: UnsafeRawPointer, by thread: Int) -> Int {
        atomics[atomic]?.unseenCount(at: threads[thread]) ?? 0
    }

    /// `thread` loads what was stored, the last time or `age` times before.
    mutating func load(_ atomic: UnsafeRawPointer, age: Int = 0, acquires: Bool, by thread: Int) {
        let released = atomics[atomic, default: Stores()].load(age: age, by: thread, at: threads[thread])
        if acquires { threads[thread].join(released) }
    }

    /// `thread` stores. `updates`: whether it has loaded the last value in the same step.
    mutating func store(_ atomic: UnsafeRawPointer, updates: Bool, acquires: Bool, releases: Bool, by thread: Int) {
        if updates { load(atomic, acquires: acquires, by: thread) }
        let released = releases ? threads[thread] : fences[thread]
        atomics[atomic, default: Stores()].add(releasing: released, continues: updates, by: thread, at: threads[thread])
        if releases { threads[thread][thread] += 1 }
    }

    /// `thread` submits a block, or has run one. Returns what happens before whatever acquires it.
    mutating func release(by thread: Int) -> Clock {
        defer { threads[thread][thread] += 1 }
        return threads[thread]
    }

    /// `thread` runs a block that was submitted, or that comes after another one of its queue.
    mutating func acquire(_ clock: Clock, by thread: Int) { threads[thread].join(clock) }

    /// `thread` accesses memory that is no atomic. Returns whether that races with an access of another thread.
    mutating func access(_ address: UnsafeRawPointer, _ access: ExploredAccess, by thread: Int) -> Bool {
        if case .forget = access {
            memory[address] = nil
            atomics[address] = nil
            return false
        }
        if case .own = access {
            load(address, acquires: false, by: thread)
            return false
        }
        var history = memory[address] ?? History()
        defer { memory[address] = history }
        let clock = threads[thread]
        var races = history.writer >= 0 && history.written > clock[history.writer]
        if case .read = access {
            history.read[thread] = clock[thread]
        } else {
            races = races || any(history.read .> clock)
            history.writer = thread
            history.written = clock[thread]
            history.read = Clock()
        }
        return races
    }
}
