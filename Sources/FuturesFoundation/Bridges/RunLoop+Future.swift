// RunLoop: runs blocks, and waits for futures while the loop runs.

import Foundation
import Futures

extension RunLoop {
    /// Runs a block on the thread of this run loop, and returns a future of what it returns.
    ///
    /// The block runs when the loop runs in one of the common modes. A loop that has ended, or that is not run, does
    /// not run it, and the future stays pending. Cancelling the future prevents the block from starting. Each
    /// repetition runs the block again. May be called by any thread.
    ///
    /// - Parameters:
    ///   - body: The block. An error that it throws fails the future.
    public func asyncFuture<Value>(
        file: StaticString = #fileID, line: UInt = #line, execute body: @escaping @Sendable () throws -> Value
    ) -> Future<Value> {
        let loop = WakingLoop(self)
        return Future(on: .immediate, file: file, line: line) { completion in
            let isCancelled = Locked(false)
            loop.perform {
                if !isCancelled.withLock({ $0 }) { completion(Result { try body() }) }
            }
            return Disposer { isCancelled.withLock { $0 = true } }
        }
    }

    /// Runs the run loop of this thread until a future has completed, and returns its value or throws its error.
    ///
    /// Meanwhile the loop's timers, ports and blocks are served; on the main thread, the main queue too. A command-line
    /// program or a test that needs them waits by this instead of by `wait()`. It looks at the future a hundred times a
    /// second. A timeout does not cancel the future.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - timeout: The time limit, after which it throws `FutureError.timedOut`; nil for none.
    ///   - mode: The mode in which the loop runs.
    @available(*, noasync, message: "Use `await future.value`.")
    public static func run<Value>(
        until future: Future<Value>, timeout: Duration? = nil, mode: RunLoop.Mode = .default,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Value {
        // Without a timer or a port, a loop returns immediately.
        let timer = Timer(timeInterval: 1e6, repeats: true) { _ in }
        RunLoop.current.add(timer, forMode: mode)
        defer { timer.invalidate() }
        let end = timeout.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) } ?? .distantFuture
        while true {
            if let result = future.result { return try result.get() }
            guard end > Date() else {
                throw FutureError.timedOut(after: timeout ?? .zero, origin: .init(file, line: line))
            }
            // In pieces: a loop serves its timers, and then continues until this time. Nothing portable stops it
            // before.
            _ = RunLoop.current.run(mode: mode, before: min(end, Date(timeIntervalSinceNow: 0.01)))
        }
    }
}

/// A run loop, which any thread may give blocks.
// Safe to share: adding a timer is thread-safe on Linux, and `perform` and CFRunLoopWakeUp are elsewhere.
private struct WakingLoop: @unchecked Sendable {
    private let loop: RunLoop

    init(_ loop: RunLoop) { self.loop = loop }

    func perform(_ block: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
            loop.perform(inModes: [.common, .default], block: block)
            CFRunLoopWakeUp(loop.getCFRunLoop())
        #else
            // On Linux, `perform` does not wake a loop that sleeps, and a timer does.
            loop.add(Timer(timeInterval: 0, repeats: false) { _ in block() }, forMode: .common)
        #endif
    }
}
