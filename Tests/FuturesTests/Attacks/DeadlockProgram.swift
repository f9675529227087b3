// DeadlockProgram: random operations that wait for each other, and the result that each of them has to have.

import Futures

/// Serial queues, locks and pools, and operations in them, some of which wait for others.
///
/// An operation may wait for one of the same line or a later one, or for such a line to be empty. So no cycle leads
/// through several lines: a deadlocked operation waits for one behind it in its line, or for that line to be empty.
struct DeadlockProgram: Sendable, CustomStringConvertible {
    enum Kind: CaseIterable {
        case queue, cleanedQueue, keyed, mutex, semaphore, writing, pool, checkedPool

        /// Whether others can wait for the line to be empty.
        var canBeAwaited: Bool { [.queue, .cleanedQueue, .keyed].contains(self) }
    }

    /// When an operation starts to wait.
    enum Start: CaseIterable {
        case atOnce
        /// When a gate opens.
        case late
        /// When a gate opens, for a future that waits for another gate, and only then for the target.
        case behindAGate
    }

    struct Operation {
        let line: Int
        let target: Int?
        /// The line that it waits to be empty.
        let emptyLine: Int?
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
            let emptyLine =
                random.oneIn(4)
                ? lines.indices.filter { $0 >= line && lines[$0].canBeAwaited }.randomElement(using: &random) : nil
            let target = emptyLine != nil || random.oneIn(3) ? nil : targets.randomElement(using: &random)
            return Operation(
                line: line, target: target, emptyLine: emptyLine, start: start,
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
        if operations[index].emptyLine == operations[index].line { return nil }
        guard let target = operations[index].target else { return index }
        if operations[target].line == operations[index].line, target > index { return nil }
        return value(target)
    }

    var description: String {
        operations.enumerated().map { index, operation in
            let target = operation.target.map { "\($0)" } ?? operation.emptyLine.map { "an empty line \($0)" }
            let wait = target.map { " waits for \($0) by way \(operation.way), \(operation.start)" } ?? ""
            return "\(index): \(lines[operation.line]) \(operation.line)\(wait)"
        }.joined(separator: "; ")
    }
}

/// A line whose operations have their turn alone.
struct SerialLine: Sendable {
    let enqueue: @Sendable (Scheduler, @escaping @Sendable () -> Future<Int>) -> Future<Int>
    let drained: @Sendable () -> Future<Void>

    /// `cleanups` counts the operations that were cleaned up.
    init(_ kind: DeadlockProgram.Kind, _ cleanups: AtomicCounter) {
        let (queue, keys, lock) = (FutureQueue(), KeyedFutureQueue<Int>(), FutureReadWriteLock())
        switch kind {
        case .queue: self.init(queue, queue)
        case .cleanedQueue: self.init(queue, queue) { cleanups.up() }
        case .keyed: self.init(keys, keys[1])
        case .mutex: self.init(queue, FutureMutex())
        case .semaphore: self.init(queue, FutureSemaphore(count: 1))
        case .writing: self.init(lock, lock.writing)
        case .pool: self.init(queue, ResourcePool(maxCount: 1, callTimeout: testTimeout) { Future(1) })
        case .checkedPool:
            let check: @Sendable (Int) -> Future<Bool> = { _ in Future(true) }
            self.init(queue, ResourcePool(maxCount: 1, callTimeout: testTimeout, create: { Future(1) }, check: check))
        }
    }

    private init(_ queue: any TurnQueue, _ giver: some TurnGiver, cleanup: (@Sendable () -> Void)? = nil) {
        drained = { queue.drained() }
        enqueue = { scheduler, operation in
            guard let cleanup else { return giver.on(scheduler).enqueue { _ in operation() } }
            return giver.on(scheduler).enqueue({ _ in operation() }, finally: { _, _ in Future(cleanup()) })
        }
    }
}
