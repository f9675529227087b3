// DeadlockProgram: random operations that wait for each other, and the result that each of them has to have.

import Futures

/// Serial queues, locks and pools, and operations in them, some of which wait for others.
///
/// An operation may wait for one of the same line, or of a later line. So there are no cycles through several lines,
/// and an operation is deadlocked exactly if it waits for one behind it in its own line.
struct DeadlockProgram: Sendable, CustomStringConvertible {
    enum Kind: CaseIterable { case queue, cleanedQueue, keyed, mutex, semaphore, writing, pool }

    /// When an operation starts to wait.
    enum Start: CaseIterable {
        /// With its closure.
        case atOnce
        /// When a gate opens.
        case late
        /// When a gate opens, for a future that waits for another gate, and only then for the target.
        case behindAGate
    }

    struct Operation {
        let line: Int
        let target: Int?
        let start: Start
        let way: Int
        let isInBackground: Bool
    }

    let lines: [Kind]
    let operations: [Operation]

    init(_ random: inout SplitMix) {
        let lines = (0..<Int.random(in: 1...3, using: &random)).map { _ in random.pick(Kind.allCases) }
        let places = (0..<Int.random(in: 2...8, using: &random)).map { _ in
            Int.random(in: 0..<lines.count, using: &random)
        }
        self.lines = lines
        operations = places.enumerated().map { index, line in
            let targets = places.indices.filter { $0 != index && places[$0] >= line }
            // The first one of a line starts when the others are not there yet.
            let start =
                places.firstIndex(of: line) == index ? random.pick([.late, .behindAGate]) : random.pick(Start.allCases)
            return Operation(
                line: line, target: random.oneIn(3) ? nil : targets.randomElement(using: &random), start: start,
                way: Int.random(in: 0..<Self.ways.count, using: &random), isInBackground: random.oneIn(2))
        }
    }

    /// What may be between an operation and its target.
    static let ways: [@Sendable (Future<Int>) -> Future<Int>] = [
        { $0 },
        { $0.map(on: .immediate) { $0 } },
        { $0.map { $0 }.always(on: .immediate) {} },
        { future in Future(1).flatMap(on: .immediate) { _ in future } },
        { $0.withoutHistory() },
        { $0.map(on: .immediate) { $0 }.shieldedFromCancellation() },
        { $0.performWhile(on: .immediate) { NilDisposer() } },
        { join([$0]).map(on: .immediate) { $0[0] } },
        { $0.flatMapError(on: .immediate) { Future(error: $0) } },
    ]

    /// The value of an operation; nil if it, or the one that it waits for, is deadlocked.
    func value(_ index: Int) -> Int? {
        guard let target = operations[index].target else { return index }
        if operations[target].line == operations[index].line, target > index { return nil }
        return value(target)
    }

    var description: String {
        operations.enumerated().map { index, operation in
            let target = operation.target.map { " waits for \($0) by way \(operation.way), \(operation.start)" } ?? ""
            return "\(index): \(lines[operation.line]) \(operation.line)\(target)"
        }.joined(separator: "; ")
    }
}

/// A line whose operations have their turn alone.
struct SerialLine: Sendable {
    let enqueue: @Sendable (Scheduler, @escaping @Sendable () -> Future<Int>) -> Future<Int>

    /// `cleanups` counts the operations that were cleaned up.
    init(_ kind: DeadlockProgram.Kind, _ cleanups: AtomicCounter) {
        switch kind {
        case .queue:
            let queue = FutureQueue()
            enqueue = { queue.enqueue(on: $0, $1) }
        case .cleanedQueue:
            let queue = FutureQueue()
            enqueue = { scheduler, operation in
                queue.enqueue(on: scheduler) {
                    operation()
                } finally: { _ in
                    cleanups.up()
                    return Future()
                }
            }
        case .keyed:
            let queue = KeyedFutureQueue<Int>()
            enqueue = { queue.enqueue(on: $0, for: 1, $1) }
        case .mutex:
            let mutex = FutureMutex()
            enqueue = { mutex.enqueue(on: $0, $1) }
        case .semaphore:
            let semaphore = FutureSemaphore(count: 1)
            enqueue = { semaphore.enqueue(on: $0, $1) }
        case .writing:
            let lock = FutureReadWriteLock()
            enqueue = { lock.enqueueWriting(on: $0, $1) }
        case .pool:
            let pool = ResourcePool<Int>(maxCount: 1) { Future(1) }
            enqueue = { scheduler, operation in pool.enqueue(on: scheduler) { _ in operation() } }
        }
    }
}
