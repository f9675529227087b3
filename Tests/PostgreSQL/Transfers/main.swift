// Several processes that count in a PostgreSQL database, each in turns with leases, and are killed or cut off at any moment.
//
//     Transfers <address>              checks that no count is lost
//     Transfers --without <address>    without leases: counts must be lost, or this test could not fail

import Foundation
import Futures
import FuturesFoundation

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--worker" {
    // What it began under is gone: no other process kills this one any more.
    let (parent, life) = (getppid(), DisposeBag())
    let looking = Future(on: .background, immediate: { if getppid() != parent { exit(0) } })
    looking.onValueRepeat(delayBetweenRepetitions: .milliseconds(100)) { _ in true }.disposable.store(in: life)
    try work(arguments[1], hasLeases: arguments[2] == "leases", table: arguments[3])
    withExtendedLifetime(life) {}
} else {
    let isWithout = arguments.first == "--without"
    try await check(arguments.last!, hasLeases: !isWithout)
}

/// Counts in two rows of the database until it is killed.
///
/// A turn reads a count and writes it back in two statements, as an operation that needs a turn does. What it wrote it
/// also adds to a list, in the same statement.
func work(_ address: String, hasLeases: Bool, table: String) throws {
    let queue = KeyedFutureQueue<Int>()
    let sessions = try (0..<2).map { _ in
        FutureQueue(resource: try Connection(address), executeOn: .background)
    }
    @Sendable func count(_ key: Int, _ token: UInt64, pause: Duration) -> Future<Void> {
        sessions[key].run { connection in
            // The database sees the token with the first statement, and refuses smaller ones from now on.
            try connection.value(
                "UPDATE \(table) SET token = $2 WHERE id = $1 AND token <= $2::bigint RETURNING count", "\(key)",
                "\(token)")
        }
        .delay(by: pause)
        .flatMap(on: .background) { count in
            sessions[key].run { connection in
                guard let count, let old = Int(count) else { return }
                try connection.value(
                    """
                    WITH done AS (UPDATE \(table) SET count = $3 WHERE id = $1 AND token <= $2::bigint RETURNING id)
                    INSERT INTO \(table)_done SELECT id FROM done
                    """, "\(key)", "\(token)", "\(old + 1)")
            }
        }
    }
    @Sendable func turn(_ number: Int) -> Future<Void> {
        let (key, pause) = (number % 2, Duration.microseconds(number * 131 % 3000))
        return queue[key].on(.background).enqueue {
            guard hasLeases else { return count(key, 0, pause: pause) }
            return PostgresLease.turns("count \(key)", of: address).on(.background).enqueue { lease in
                count(key, lease.token, pause: pause).abort(forFutures: [lease.lost])
            }
        }
        .recover(on: .background) { error in
            // A lease that is lost, or requested while the server cuts the connection, is one turn less.
            if !(error is Connection.Failure) { throw error }
        }
    }
    try (0..<Int.max).mapToFuture(maxConcurrentCount: 6) { turn($0) }.asVoid().wait()
}

/// Starts processes, kills them and cuts connections, and compares the counts with the list.
func check(_ address: String, hasLeases: Bool) async throws {
    let connection = try Connection(address)
    try connection.value("SET client_min_messages = warning")
    try connection.value("CREATE SEQUENCE IF NOT EXISTS lease_token")
    // Another one in each run: a process that is killed late counts nowhere else.
    let table = "counts_\(UInt32.random(in: 0 ... .max))"
    try connection.value("CREATE TABLE \(table) (id int PRIMARY KEY, count bigint, token bigint)")
    try connection.value("CREATE TABLE \(table)_done (id int)")
    try connection.value("INSERT INTO \(table) VALUES (0, 0, 0), (1, 0, 0)")

    func start() -> Future<CommandOutput> {
        var command = Command(CommandLine.arguments[0], ["--worker", address, hasLeases ? "leases" : "none", table])
        command.gracePeriod = .zero
        return command.run()
    }
    var workers = (0..<3).map { _ in start() }
    for round in 0..<60 {
        try await Future().delay(by: .milliseconds(.random(in: 0...120))).value
        if round % 3 == 0 {
            // The session of a lease, as if the network had failed: the worker notices on renewal, or not at all.
            try connection.value(
                """
                SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted ORDER BY random() LIMIT 1
                """)
        } else {
            workers[round % 3].cancel()
            workers[round % 3] = start()
        }
    }
    // A worker that has ended by itself has found a fault.
    for worker in workers where !worker.cancel() { _ = try await worker.value }

    // In one statement: a worker is killed soon behind its cancel, and may count until then.
    let sums = try connection.value(
        "SELECT (SELECT sum(count) FROM \(table)) || ' ' || (SELECT count(*) FROM \(table)_done)")
    let (counts, done) = sums.map { ($0.split(separator: " ").map { Int($0)! }) }.map { ($0[0], $0[1]) } ?? (0, 0)
    let lost = done - counts
    print("\(done) turns have counted, and \(lost) counts are lost \(hasLeases ? "with" : "without") leases")
    let isRight = hasLeases ? lost == 0 && done > 100 : lost > 0
    if !isRight { exit(1) }
}
