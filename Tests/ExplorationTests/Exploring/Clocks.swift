// Clocks: which accesses happen before which others, as the orderings of atomics promise.

import Futures

/// For each thread the number of its steps that have happened before. Up to four threads.
typealias Clock = SIMD4<UInt32>

extension Clock {
    mutating func join(_ other: Clock) { self = pointwiseMax(self, other) }
}

/// Vector clocks, after Lamport and Mattern; accesses are checked as by FastTrack (Flanagan and Freund 2009).
///
/// A failed compare-and-exchange counts as an update, and what the reference counts order does not count at all.
struct Clocks {
    /// The last accesses to a piece of memory: a step of the thread that has written, and a step of each that has read since.
    private struct History {
        var writer = -1
        var written: UInt32 = 0
        var read = Clock()
    }

    private var threads: [Clock]
    /// What stores behind a releasing fence release.
    private var fences: [Clock]
    private var atomics: [UnsafeRawPointer: Clock] = [:]
    private var memory: [UnsafeRawPointer: History] = [:]

    init(threads count: Int) {
        threads = (0..<count).map { index in
            var clock = Clock()
            clock[index] = 1
            return clock
        }
        fences = Array(repeating: Clock(), count: count)
    }

    /// `thread` does what `point` announces.
    mutating func reach(_ point: ExplorationPoint, by thread: Int) {
        switch point {
        case .load(let atomic, let acquires): update(atomic, thread, acquires, false)
        case .store(let atomic, let releases):
            atomics[atomic] = releases ? threads[thread] : fences[thread]
            if releases { threads[thread][thread] += 1 }
        case .update(let atomic, let acquires, let releases), .exchange(let atomic, let acquires, let releases):
            update(atomic, thread, acquires, releases)
        case .fence:
            fences[thread] = threads[thread]
            threads[thread][thread] += 1
        case .lock(let lock): update(lock, thread, true, false)
        case .unlock(let lock): update(lock, thread, false, true)
        case .askUnique, .wait: break
        }
    }

    private mutating func update(_ atomic: UnsafeRawPointer, _ thread: Int, _ acquires: Bool, _ releases: Bool) {
        if acquires, let released = atomics[atomic] { threads[thread].join(released) }
        guard releases else { return }
        atomics[atomic, default: Clock()].join(threads[thread])
        threads[thread][thread] += 1
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
