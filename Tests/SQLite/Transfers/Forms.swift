// Forms: the ways in which a transfer uses a bank exclusively, each with a last step that leaves no transaction open.

import Futures

/// A way to enqueue transfers.
struct Form: Sendable {
    let name: String
    let enqueue: @Sendable (Transfer, Complaints) -> Future<Int>
    let abort: @Sendable () -> Void
    let close: @Sendable () throws -> Void
}

extension Transfer {
    /// Returns a future of the steps, each on the bank's scheduler. So the cleanup, which runs there too, follows a
    /// step in progress even if the future is cancelled.
    func steps(on bank: Bank, _ complaints: Complaints) -> Future<Int> {
        (0..<4).reduce(Future()) { last, step in
            last.delay(by: pause).map(on: bank.scheduler) {
                try perform(step, on: bank, complaints)
            }
        }
        .map(on: .immediate) { number }
    }

    func cleanUpLater(_ bank: Bank) -> Future<Void> {
        Future().delay(by: cleanupPause).map(on: bank.scheduler) { try cleanUp(bank) }
    }

    func stepsOfTask(on bank: Bank, _ complaints: Complaints) async throws -> Int {
        for step in 0..<4 {
            // A cancelled sleep throws in the middle of the transaction.
            try await Task.sleep(for: pause)
            try perform(step, on: bank, complaints)
        }
        return number
    }

    func cleanUpInTask(_ bank: Bank) async throws {
        try await Task.sleep(for: cleanupPause)
        try cleanUp(bank)
    }
}

extension Form {
    /// Returns the forms of anything that gives turns with a bank.
    private static func ofTurns(
        _ name: String, _ giver: some TurnGiver<Bank>, abort: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () throws -> Void
    ) -> [Form] {
        [
            Form(
                name: "enqueue\(name)",
                enqueue: { transfer, complaints in
                    giver.enqueue {
                        transfer.steps(on: $0, complaints)
                    } finally: { bank, _ in
                        transfer.cleanUpLater(bank)
                    }
                }, abort: abort, close: close),
            Form(
                name: "run\(name)",
                enqueue: { transfer, complaints in
                    giver.run {
                        try await transfer.stepsOfTask(on: $0, complaints)
                    } finally: { bank, _ in
                        try await transfer.cleanUpInTask(bank)
                    }
                }, abort: abort, close: close),
        ]
    }

    /// Returns all forms of a queue with one connection.
    static func ofQueue(_ bank: Bank) -> [Form] {
        let queue = FutureQueue(resource: bank)
        // Failures that no future reports are expected here.
        queue.onCleanupFailure { _ in }
        return ofTurns("", queue, abort: { queue.cancelAll() }, close: { try queue.drained().wait() })
    }

    /// Returns the same operations without a last step, whose faults this program must detect.
    static func withoutCleanup(_ bank: Bank) -> Form {
        let queue = FutureQueue(resource: bank)
        return Form(
            name: "enqueue, without a cleanup",
            enqueue: { transfer, complaints in
                queue.enqueue { transfer.steps(on: $0, complaints) }
            }, abort: { queue.cancelAll() }, close: { try queue.drained().wait() })
    }

    /// Returns the forms of a pool of connections to the same file.
    static func ofPool(_ path: String, count: Int) -> [Form] {
        let pool = ResourcePool(maxCount: count) { Future(try Bank(path: path)) }
        pool.onCleanupFailure { _ in }
        return ofTurns(", pool of \(count)", pool, abort: {}, close: { try pool.drained().wait() })
    }
}
