// TaskServer: the request by Swift's async functions and tasks.

import Synchronization

/// The request by Swift's tasks: a lock of continuations for each key, a task group for the time limit, `async let` for
/// three things at the same time.
final class TaskServer: RequestServer {
    private let lines = Mutex<[Int: [UnsafeContinuation<Void, Never>]]>([:])

    func request(_ id: Int, _ reply: @escaping @Sendable (Int) -> Void) {
        Task {
            let key = key(id)
            await enter(key)
            let value = try? await Self.limited { try await Self.answer(id) }
            leave(key)
            if let value { reply(value) }
        }
    }

    private static func answer(_ id: Int) async throws -> Int {
        let first = await ask(id) &+ 1
        let second = await recovered { await ask(first) }
        async let a = ask(second)
        async let b = ask(second &+ 1)
        async let c = ask(second &+ 2)
        return await a &+ b &+ c
    }

    private static func recovered(_ body: () async throws -> Int) async -> Int {
        do { return try await body() } catch { return 0 }
    }

    @Sendable
    private static func ask(_ number: Int) async -> Int {
        await withUnsafeContinuation { continuation in
            Backend.ask(number) { continuation.resume(returning: $0) }
        }
    }

    /// Returns the value of `body`, by a task that races with a task that sleeps.
    private static func limited(_ body: @escaping @Sendable () async throws -> Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: requestTimeout)
                return nil
            }
            defer { group.cancelAll() }
            guard let result = try await group.next(), let result else { throw TooLate() }
            return result
        }
    }

    private func enter(_ key: Int) async {
        await withUnsafeContinuation { continuation in
            let isFirst = lines.withLock { lines in
                if lines[key] == nil {
                    lines[key] = []
                    return true
                }
                lines[key]!.append(continuation)
                return false
            }
            if isFirst { continuation.resume() }
        }
    }

    private func leave(_ key: Int) {
        let next = lines.withLock { lines -> UnsafeContinuation<Void, Never>? in
            if lines[key]!.isEmpty {
                lines[key] = nil
                return nil
            }
            return lines[key]!.removeFirst()
        }
        next?.resume()
    }

    private struct TooLate: Error {}
}
