// Allocations of await: none for a completed future, three for a pending one.

import CAllocations
import Futures
import Testing

extension AllocationTests {
    @Test func `awaiting a completed future allocates nothing`() async throws {
        let future = Future(1)
        var least = Int64.max
        for _ in 0..<10 {
            let start = allocations_count_of_this_thread()
            for _ in 0..<100 { _ = try await future.value }
            least = min(least, allocations_count_of_this_thread() - start)
        }
        #expect(least == 0)
    }

    // They are the listener, its callback, and the state that it shares with the cancellation handler.
    @Test func `awaiting a pending future allocates three times`() async {
        await #expect(processExitsWith: .success) {
            let bare = await PendingAwaits.count(PendingAwaits.bareContinuations)
            let ours = await PendingAwaits.count(PendingAwaits.futures)
            #expect((ours - bare) / Double(PendingAwaits.times) <= 3.1, "\(ours) against \(bare)")
        }
    }
}

/// One task awaits futures that another task completes after each suspension.
@MainActor private enum PendingAwaits {
    nonisolated static let times = 1000

    static func count(_ body: () async -> Int64) async -> Double {
        var least = Int64.max
        for _ in 0..<5 { least = min(least, await body()) }
        return Double(least)
    }

    static func futures() async -> Int64 {
        let promises = (0..<times).map { _ in Promise<Int>() }
        let start = allocations_count()
        let awaiting = Task { for promise in promises { _ = try? await promise.future.value } }
        for promise in promises {
            await Task.yield()
            promise.succeed(1)
        }
        await awaiting.value
        return allocations_count() - start
    }

    static func bareContinuations() async -> Int64 {
        let continuations = Continuations(capacity: times)
        let start = allocations_count()
        let awaiting = Task {
            for _ in 0..<times {
                await withTaskCancellationHandler {
                    await withUnsafeContinuation { continuations.list.append($0) }
                } onCancel: {
                }
            }
        }
        for index in 0..<times {
            while continuations.list.count <= index { await Task.yield() }
            continuations.list[index].resume()
        }
        await awaiting.value
        return allocations_count() - start
    }

    @MainActor private final class Continuations {
        var list: [UnsafeContinuation<Void, Never>] = []

        init(capacity: Int) { list.reserveCapacity(capacity) }
    }
}
