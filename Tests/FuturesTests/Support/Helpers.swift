// Helpers: expected errors, threads for test code, and access to results.

import Dispatch
import Foundation
import Futures
import Testing

/// An error that is distinguished from others by its number.
struct Oops: Error, Equatable {
    var number = 0
    init(_ number: Int = 0) { self.number = number }
}

/// Longer than all tests together, as a job may stand behind every other test. A wait fails instead of hanging.
let testTimeout = Duration.seconds(1200)

extension DispatchTime {
    /// The time at which a wait that begins now fails.
    static var testTimeout: DispatchTime { .now() + 1200 }
}

/// Waits until `condition` holds, without blocking threads of tasks, and calls `body` meanwhile. False after a limit,
/// which is not only a duration: while other tests occupy all threads of the pool, nothing is late.
func comesTrue(
    isolation: isolated (any Actor)? = #isolation, while body: () -> Void = {}, _ condition: () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + testTimeout
    var turns = 0
    while !condition() {
        turns += 1
        if turns > 1000, ContinuousClock.now > end { return false }
        body()
        await Task.yield()
    }
    return true
}

extension Future {
    var success: Value? { try? result?.get() }

    var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// Returns the result, and waits for it without blocking a thread of the pool.
    func arrival() async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            self.onResult(on: .immediate) { _ in continuation.resume() }
        }
        // Read from the future, not passed through the continuation: the thread sanitizer sees the ordering that the
        // future provides, but not that of a continuation that is resumed before the task has suspended.
        return result!
    }
}

extension Result {
    var success: Success? { try? get() }
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension Error {
    var timeLimit: Duration? {
        if case .timedOut(let limit, _)? = self as? FutureError { limit } else { nil }
    }
}

/// Returns the time limit if `body` throws a timeout.
func timeLimit(_ body: () throws -> some Any) -> Duration? {
    do { _ = try body() } catch { return error.timeLimit }
    return nil
}

/// Returns a future that stays pending until it is cancelled, and then calls `stop`.
func stoppable(_ stop: @escaping @Sendable () -> Void) -> Future<Int> {
    Future(on: .immediate) { completion in
        Disposer {
            stop()
            completion(.success(0))
        }
    }
}

/// Threads of Dispatch for what a test blocks for: those of the default quality run the tasks of all tests, too.
let otherThreads = DispatchQueue.global(qos: .userInitiated)

/// Returns what `body` returns on a thread of its own. No thread of the pool waits meanwhile.
func onOwnThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    let promise = Promise<T>()
    Thread.detachNewThread { promise.complete(Result { try body() }) }
    return try await promise.future.arrival().get()
}

/// Runs `body` on a thread of its own and waits for it. Returns false if `body` does not return in time.
@discardableResult
func onAnotherThread(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        body()
        done.signal()
    }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
    return done.wait(timeout: .testTimeout) == .success
}

/// Runs `body` on a thread with a stack of 512 KiB, the smallest that Dispatch and Foundation make.
func onSmallStack(_ body: @escaping @Sendable () -> Void, location: Testing.SourceLocation = #_sourceLocation) {
    #expect(onAnotherThread(stackSize: 512 * 1024, body), "It does not end.", sourceLocation: location)
}

/// Expects that the process exited with a failure whose message contains `message`.
func expectTrap(
    _ result: ExitTest.Result?, saying message: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    #expect(result.said.contains(message), "said: \(result.said.prefix(300))", sourceLocation: sourceLocation)
}

extension ExitTest.Result? {
    /// What the process has written to standard error.
    var said: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }
}
