// value: tasks that await futures, and their cancellation. Contract/Async.md

import Dispatch
import Futures
import Testing

// On one actor: a test resumes from `hasBegun` only once the awaiting task has suspended.
@MainActor @Suite struct FutureValueTests {
    @Test func `a task that awaits a future gets its value, or throws its error`() async throws {
        let (value, error) = (Promise<Int>(), Promise<Int>())
        let (first, second) = (await awaiting(value.future), await awaiting(error.future))
        value.succeed(1)
        error.fail(Oops(2))
        #expect(try await first.value == 1)
        await #expect(throws: Oops(2)) { try await second.value }
        #expect(try await Future(3).value == 3)
        await #expect(throws: Oops(4)) { try await Future<Int>(error: Oops(4)).value }
    }

    /// Returns a task that has started to await `future`.
    private func awaiting<T>(_ future: Future<T>) async -> Task<T, any Error> {
        let hasBegun = Promise<Void>()
        let task = Task<T, any Error> {
            hasBegun.succeed()
            return try await future.value
        }
        _ = await hasBegun.future.arrival()
        return task
    }

    @Test func `a cancelled task stops waiting immediately and cancels the future`() async {
        let isDisposed = Shared(false)
        let future = stoppable { isDisposed.value = true }
        let last = future.map(on: .immediate) { $0 + 1 }
        let task = await awaiting(last)
        last.cancel()
        #expect(!last.isCompleted, "the task listens")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await comesTrue { isDisposed.value })
        #expect(future.isCancelled && last.isCancelled)
    }

    @Test(arguments: [false, true])
    func `the callbacks and disposables of the future that a cancelled task awaits may wait for the task`(
        _ isCancelledBefore: Bool
    ) async {
        let (gate, done, hasEnded) = (Promise<Void>(), Promise<Bool>(), DispatchSemaphore(value: 0))
        let future = stoppable { done.succeed(hasEnded.wait(timeout: .testTimeout) == .success) }
        let task = Task.detached {
            if isCancelledBefore { _ = await gate.future.arrival() }
            _ = try? await future.value
            hasEnded.signal()
        }
        if !isCancelledBefore { #expect(await comesTrue { future.isHeard }) }
        task.cancel()
        gate.succeed()
        #expect(try! await done.future.arrival().get())
    }

    @Test func `cancelling a task that awaits a future does not affect other listeners`() async {
        let promise = Promise<Int>()
        let other = promise.future.map(on: .immediate) { $0 }
        let (first, second) = (await awaiting(promise.future), await awaiting(promise.future))
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(!promise.future.isCompleted)
        promise.succeed(5)
        #expect(other.success == 5)
        #expect(try! await second.value == 5)
    }

    @Test func `a task that is already cancelled does not wait, but gets a result that is available`() async {
        let isDisposed = Shared(false)
        let pending = stoppable { isDisposed.value = true }
        let gate = Promise<Void>()
        let task = Task<Int, any Error> {
            _ = await gate.future.arrival()
            let there: Int = try await Future(7).value
            #expect(there == 7)
            return try await pending.value
        }
        task.cancel()
        gate.succeed()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await comesTrue { isDisposed.value })
    }
}
