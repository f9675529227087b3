// Bank: accounts in an SQLite database, and transfers between them.

import CSQLite
import Futures
import Synchronization

/// An error that a transfer or its cleanup fails with on purpose.
struct Refused: Error {}

/// An error of SQLite.
struct SQLiteError: Error {
    let message: String
}

/// A connection to a database of accounts. A queue or a pool must ensure that one operation uses it at a time.
final class Bank: Sendable {
    static let accountCount = 10
    static let total = 1000

    // Safe to share: SQLite serializes the calls of one connection by default.
    nonisolated(unsafe) private let handle: OpaquePointer
    /// The serial scheduler for the statements of operations that return futures.
    let scheduler = Scheduler(label: "bank")

    init(path: String) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { throw SQLiteError(message: "open") }
        self.handle = handle
        // A short timeout: a thread that waits here may be the one that the other transaction needs.
        sqlite3_busy_timeout(handle, 5)
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
    }

    deinit { sqlite3_close(handle) }

    func create() throws {
        try execute("CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER)")
        try execute("CREATE TABLE journal (transfer INTEGER PRIMARY KEY)")
        for id in 0..<Self.accountCount {
            try execute("INSERT INTO account VALUES (\(id), \(Self.total / Self.accountCount))")
        }
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Begins a transaction. Reports a fault if it sees uncommitted changes of another one.
    func begin(_ complaints: Complaints) throws {
        if isInTransaction { complaints.add("an operation finds the open transaction of another one") }
        try execute("BEGIN IMMEDIATE")
        if try sum() != Self.total { complaints.add("an operation sees half of a transfer") }
    }

    func withdraw(_ transfer: Transfer) throws {
        try execute("UPDATE account SET balance = balance - \(transfer.amount) WHERE id = \(transfer.from)")
    }

    func deposit(_ transfer: Transfer) throws {
        try execute("UPDATE account SET balance = balance + \(transfer.amount) WHERE id = \(transfer.to)")
    }

    func commit(_ transfer: Transfer) throws {
        try execute("INSERT INTO journal VALUES (\(transfer.number))")
        try execute("COMMIT")
    }

    /// The last step of every operation.
    func rollBackUnlessCommitted() throws {
        if isInTransaction { try execute("ROLLBACK") }
    }

    func sum() throws -> Int { try numbers("SELECT total(balance) FROM account")[0] }

    func journal() throws -> Set<Int> { Set(try numbers("SELECT transfer FROM journal")) }

    private func numbers(_ query: String) throws -> [Int] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK else { throw error(query) }
        var numbers: [Int] = []
        while sqlite3_step(statement) == SQLITE_ROW { numbers.append(Int(sqlite3_column_int64(statement, 0))) }
        return numbers
    }

    private func execute(_ statements: String) throws {
        let code = sqlite3_exec(handle, statements, nil, nil, nil)
        // Another connection is writing, which is one more way to fail.
        if code == SQLITE_BUSY { throw Refused() }
        guard code == SQLITE_OK else { throw error(statements) }
    }

    private func error(_ statements: String) -> SQLiteError {
        SQLiteError(message: "\(String(cString: sqlite3_errmsg(handle))): \(statements)")
    }
}

/// The faults that were found, with their numbers.
final class Complaints: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    var all: [String: Int] { counts.withLock { $0 } }

    func add(_ complaint: String) { counts.withLock { $0[complaint, default: 0] += 1 } }
}

/// A transfer, and its failures.
struct Transfer: Sendable {
    let number: Int
    let from: Int
    let to: Int
    let amount: Int
    /// The step that fails, from 0 to 3; greater if no step fails.
    let failingStep: Int
    /// The delay before each step.
    let pause: Duration
    let cleanupFails: Bool
    let cleanupPause: Duration

    init(_ number: Int, _ random: inout some RandomNumberGenerator) {
        self.number = number
        from = Int.random(in: 0..<Bank.accountCount, using: &random)
        to = Int.random(in: 0..<Bank.accountCount, using: &random)
        amount = Int.random(in: 1...50, using: &random)
        failingStep = Int.random(in: 0..<16, using: &random)
        pause = .microseconds(Int.random(in: 0..<100, using: &random))
        cleanupFails = Int.random(in: 0..<20, using: &random) == 0
        cleanupPause = .microseconds(Int.random(in: 0..<100, using: &random))
    }

    /// Runs a step, or fails on purpose.
    func perform(_ step: Int, on bank: Bank, _ complaints: Complaints) throws {
        if step == failingStep { throw Refused() }
        switch step {
        case 0: try bank.begin(complaints)
        case 1: try bank.withdraw(self)
        case 2: try bank.deposit(self)
        default: try bank.commit(self)
        }
    }

    /// The last step, which sometimes fails after it has done its work.
    func cleanUp(_ bank: Bank) throws {
        try bank.rollBackUnlessCommitted()
        if cleanupFails { throw Refused() }
    }
}
