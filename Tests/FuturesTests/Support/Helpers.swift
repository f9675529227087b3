// Helpers: errors to expect, threads to run on, results to look at.

import Dispatch
import Foundation
import Futures
import Testing

/// An error that tells itself from others by its number.
struct Oops: Error, Equatable {
    var number = 0
    init(_ number: Int = 0) { self.number = number }
}

/// Longer than anything here takes: a wait that lasts so long has failed, instead of hanging the tests.
let patience = Duration.seconds(60)

/// Waits until `condition` holds, without blocking a thread that tasks need, and calls `body` meanwhile; false if it
/// does not come true.
// Not by time alone: where other tests have all threads of the pool for a minute, nothing is late that no task could
// do.
func comesTrue(
    isolation: isolated (any Actor)? = #isolation, while body: () -> Void = {}, _ condition: () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + patience
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
    /// The value, if there is one.
    var success: Value? { try? result?.get() }

    /// The error, if there is one.
    var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    var isCancelled: Bool { error is CancellationError }

    /// The result, awaited without blocking a thread of the pool.
    func arrival() async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            self.onResult(on: .immediate) { _ in continuation.resume() }
        }
        // Asked for, not passed on: the thread sanitizer sees what the future orders, and not what a continuation does
        // that is resumed before the task has suspended.
        return result!
    }
}

extension Error {
    /// How long was waited, if this is a timeout.
    var timeLimit: Duration? {
        if case .timedOut(let limit, _)? = self as? FutureError { limit } else { nil }
    }
}

/// How long `body` waited, if it throws a timeout.
func timeLimit(_ body: () throws -> some Any) -> Duration? {
    do { _ = try body() } catch { return error.timeLimit }
    return nil
}

/// A future that stays pending until it is cancelled, and calls `stop` then.
func stoppable(_ stop: @escaping @Sendable () -> Void) -> Future<Int> {
    Future(on: .immediate) { completion in
        Disposer {
            stop()
            completion(.success(0))
        }
    }
}

/// Runs `body` on a thread of its own and waits for it; false if it does not end in time.
@discardableResult
func onAnotherThread(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        body()
        done.signal()
    }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
    return done.wait(timeout: .now() + 60) == .success
}

/// Runs all bodies at the same time on threads of their own and waits for them.
func race(_ bodies: (@Sendable () -> Void)...) {
    let start = Shared(0)
    let done = DispatchGroup()
    let count = bodies.count
    for body in bodies {
        done.enter()
        // What a thread captures goes with the thread, which may be later: not so what the bodies have captured.
        let content = Shared<(@Sendable () -> Void)?>(body)
        Thread.detachNewThread {
            start.increment()
            while start.value < count {}
            content.value?()
            content.value = nil
            done.leave()
        }
    }
    _ = done.wait(timeout: .now() + 60)
}

/// The smallest stack that a callback must do with.
let smallStack = 512 * 1024

/// Expects that `body` ends the process, and says `message` when it does.
func expectTrap(
    _ result: ExitTest.Result?, saying message: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains(message), "said: \(said.prefix(300))", sourceLocation: sourceLocation)
}
