// Batches under threads: a batch keeps its turn until all of its operations have completed, and nothing is lost.

import Dispatch
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Batches {
        @Test func `a batch keeps its turn until its operations have ended, whatever is cancelled, aborted or thrown`()
            async
        {
            await runPrograms(rounds / 2) { random in
                BatchRun(limit: Int.random(in: 1...2, using: &random), seed: random.next())
            }
        }
    }
}

/// A queue, or the queue of a batch, and the turn that lasts as long as the queue is in use.
private final class Room: Sendable {
    let limit: Int
    let turn: Turn?

    init(limit: Int, of turn: Turn? = nil) {
        self.limit = limit
        self.turn = turn
    }
}

/// The turn of an operation in a room.
private final class Turn: Sendable {
    let room: Room
    init(in room: Room) { self.room = room }
}

/// The number of users of each turn, and of turns in use in each room.
private struct Books {
    private var users: [ObjectIdentifier: Int] = [:]
    private var turns: [ObjectIdentifier: Int] = [:]
    /// Retained, so that their identities are not reused.
    private var known: [Turn] = []
    private(set) var complaints: [String] = []

    var isEmpty: Bool { users.values.allSatisfy { $0 == 0 } && turns.values.allSatisfy { $0 == 0 } }

    mutating func complain(_ complaint: String) { complaints.append(complaint) }

    mutating func enter(_ turn: Turn) {
        known.append(turn)
        users[ObjectIdentifier(turn), default: 0] += 1
        guard users[ObjectIdentifier(turn)] == 1 else { return }
        let room = turn.room
        turns[ObjectIdentifier(room), default: 0] += 1
        if turns[ObjectIdentifier(room)]! > room.limit {
            complain(room.turn == nil ? "more operations ran than allowed" : "more ran in a batch than allowed")
        }
        if let outer = room.turn { enter(outer) }
    }

    mutating func leave(_ turn: Turn) {
        users[ObjectIdentifier(turn)]! -= 1
        guard users[ObjectIdentifier(turn)] == 0 else { return }
        turns[ObjectIdentifier(turn.room)]! -= 1
        if let outer = turn.room.turn { leave(outer) }
    }
}

/// A queue, the actions of four threads on it, and its faults.
private final class BatchRun: ThreadProgram {
    private let limit: Int
    private let queue: FutureQueue<Void>
    private let room: Room
    private let books = Guarded(Books())
    private let census = Census()
    private let futures = Guarded<[Future<Int>]>([])
    private let random: Guarded<SplitMix>

    init(limit: Int, seed: UInt64) {
        self.limit = limit
        queue = FutureQueue(maxConcurrentCount: limit)
        room = Room(limit: limit)
        random = Guarded(SplitMix(seed))
    }

    var complaint: String? { books.with { $0.complaints.first }.map { "\($0): \(limit)" } }

    private func number(_ range: Range<Int>) -> Int { random.with { Int.random(in: range, using: &$0) } }

    func run(thread: Int) {
        for _ in 0..<6 {
            switch number(0..<24) {
            case 0..<6: futures.with { futures in random.with { futures.randomElement(using: &$0) } }?.cancel()
            case 6: queue.cancelAll()
            default: add(to: queue, room, depth: 2)
            }
        }
    }

    /// Enqueues an operation or, up to the given depth, a batch.
    @discardableResult
    private func add(to queue: FutureQueue<Void>, _ room: Room, depth: Int) -> Future<Int> {
        let object = census.make()
        let limit = number(1..<3)
        var future: Future<Int>
        switch number(depth > 0 ? 0..<8 : 0..<3) {
        case 0:
            future = queue.run { [self] () async throws in
                let stay = begin(Turn(in: room), books)
                defer { stay.end() }
                return try await object.pass(task())
            }
        case 1, 2:
            future = queue.on(.immediate).enqueue { [self] in
                try object.pass(work(begin(Turn(in: room), books)))
            }
        case 3, 4:
            future = queue.on(.immediate).batch().enqueue(maxConcurrentCount: limit) { [self] batch in
                let turn = Turn(in: room)
                let stay = begin(turn, books)
                let inner = Room(limit: limit, of: turn)
                for _ in 0..<number(0..<4) { add(to: batch, inner, depth: depth - 1) }
                return try object.pass(work(stay))
            }
        default:
            future = queue.batch.run(maxConcurrentCount: limit) { [self] batch async throws in
                let turn = Turn(in: room)
                let stay = begin(turn, books)
                defer { stay.end() }
                let inner = Room(limit: limit, of: turn)
                for _ in 0..<number(0..<3) { add(to: batch, inner, depth: depth - 1) }
                if number(0..<3) == 0 { _ = try await add(to: batch, inner, depth: 0).value }
                return try await object.pass(task())
            }
        }
        if number(0..<6) == 0 { future = future.onErrorRepeat(on: .immediate, maxRepetitions: 1) { _ in true } }
        if number(0..<6) == 0 { future.cancel() }
        futures.with { [future] in $0.append(future) }
        return future
    }

    /// Continues although its task is cancelled.
    private func task() async throws -> Int {
        for _ in 0..<number(0..<3) { await Task.yield() }
        if number(0..<4) == 0 { throw Oops(1) }
        return 1
    }

    /// Completes when it is cancelled.
    private func work(_ stay: Ending) throws -> Future<Int> {
        let kind = number(0..<5)
        if kind < 3 { stay.end() }
        switch kind {
        case 0: return Future(1)
        case 1: return Future(error: Oops(2))
        case 2: throw Oops(3)
        case 3:
            return Future(
                on: .background,
                immediate: {
                    stay.end()
                    return 4
                }
            ).onCancel(on: .immediate, stay.end)
        default:
            return Future(on: .immediate) { completion in
                DispatchQueue.global().async {
                    stay.end()
                    completion(.success(5))
                }
                return Disposer { stay.end() }
            }
        }
    }

    func finish() async {
        await expect("something is lost") {
            self.queue.isEmpty && self.futures.with { $0.allSatisfy { $0.isCompleted } }
        }
        await expect("it is empty, but not drained") { self.queue.drained().isCompleted }
        await expect("an operation has not left") { self.books.with { $0.isEmpty } }
        futures.with { $0 = [] }
        await expect("something is kept") { self.census.alive == 0 }
    }

    private func expect(_ complaint: String, _ condition: () -> Bool) async {
        if await !comesTrue(condition) { books.with { $0.complain(complaint) } }
    }
}

/// Uses a turn until the returned object is called.
private func begin(_ turn: Turn, _ books: Guarded<Books>) -> Ending {
    books.with { $0.enter(turn) }
    return Ending { books.with { $0.leave(turn) } }
}
