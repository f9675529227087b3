// Run loops and futures. Contract/Foundation.md

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct RunLoopTests {
    /// A thread that runs its run loop until this is released.
    private final class Loop: Sendable {
        let loop: UncheckedSendable<RunLoop>
        private let thread: UncheckedSendable<pthread_t>
        private let isStopped = Locked(false)

        var isCurrent: Bool { pthread_equal(pthread_self(), thread.value) != 0 }

        init() throws {
            let promise = Promise<(UncheckedSendable<RunLoop>, UncheckedSendable<pthread_t>)>()
            let isStopped = isStopped
            Thread.detachNewThread {
                nonisolated(unsafe) let loop = RunLoop.current
                loop.add(Timer(timeInterval: 1000, repeats: true) { _ in }, forMode: .default)
                promise.succeed((UncheckedSendable(loop), UncheckedSendable(pthread_self())))
                while !isStopped.withLock({ $0 }) {
                    _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.5))
                }
            }
            (loop, thread) = try promise.future.wait()
        }

        deinit { isStopped.withLock { $0 = true } }
    }

    @Test func `a block runs on the thread of its run loop, which is woken`() async throws {
        let loop = try makeLoop()
        let isThere = try await join((0..<3).map { _ in loop.loop.value.asyncFuture { loop.isCurrent } }).value
        #expect(isThere == [true, true, true])
        #expect(await loop.loop.value.asyncFuture { throw Oops() }.failure() is Oops)
    }

    private func makeLoop() throws -> Loop { try Loop() }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        let promise = Promise<T>()
        Thread.detachNewThread { promise.complete(Result { try body() }) }
        return try await promise.future.value
    }

    @Test func `a run loop runs until a future has completed, and serves its timers meanwhile`() async throws {
        let value = try await onThread {
            let promise = Promise<Int>()
            RunLoop.current.add(Timer(timeInterval: 0, repeats: false) { _ in promise.succeed(7) }, forMode: .default)
            return try RunLoop.run(until: promise.future)
        }
        #expect(value == 7)
        let late = try await onThread {
            try RunLoop.run(until: Future(8).delay(by: .milliseconds(5), on: .background), timeout: .seconds(3600))
        }
        #expect(late == 8)
        #expect(try await onThread { try RunLoop.run(until: Future(9)) } == 9)
        await #expect(throws: Oops.self) { try await onThread { try RunLoop.run(until: Future<Int>(error: Oops())) } }
    }

    @Test func `a run loop whose future is late throws, and the future can still be cancelled`() async throws {
        let promise = Promise<Int>()
        await #expect(throws: FutureError.self) {
            try await onThread { try RunLoop.run(until: promise.future, timeout: .milliseconds(10)) }
        }
        #expect(!promise.future.isCompleted)
        #expect(promise.future.cancel())
    }
}
