// SignalWatch: one future or stream that waits for a signal.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    internal import Synchronization

    /// Keeps a signal caught while this is retained: by a future and all of its repetitions.
    final class CaughtSignal: Sendable {
        let number: Int32
        /// The number of signals that had come when one of them completed a run for the last time; at first, when this
        /// was made. A repetition waits for the next ones.
        let heardCount: Atomic<Int>

        init(_ number: Int32) {
            CaughtSignals.retain(number)
            self.number = number
            heardCount = Atomic(CaughtSignals.count(of: number))
        }

        deinit { CaughtSignals.release(number) }

        /// Notes that the last of `count` signals completes a run.
        func completesRun(_ count: Int) { heardCount.max(count, ordering: .relaxed) }
    }

    /// Calls a closure for each delivery of a signal, until it is disposed.
    final class SignalWatch: Disposable {
        let caught: CaughtSignal
        /// The number of signals that this was told of.
        let heardCount = Atomic(0)
        private let handler: Locked<Handler>

        /// A struct, because of what `Locked` does to closures.
        private struct Handler {
            var call: (@Sendable (Int) -> Void)?
        }

        private init(_ caught: CaughtSignal, _ handler: @escaping @Sendable (Int) -> Void) {
            self.caught = caught
            self.handler = Locked(Handler(call: handler))
        }

        /// Calls `handler` with the number of signals so far, each time on another thread, when the signal comes.
        static func start(_ caught: CaughtSignal, _ handler: @escaping @Sendable (Int) -> Void) -> SignalWatch {
            let watch = SignalWatch(caught, handler)
            CaughtSignals.add(watch)
            return watch
        }

        func dispose() {
            CaughtSignals.remove(self)
            // Released without the lock.
            let handler = handler.withLock { $0.call.take() }
            withExtendedLifetime(handler) {}
        }

        /// Calls the handler, unless this was disposed.
        func tell(_ count: Int) {
            handler.withLock { $0 }.call?(count)
        }

        /// Whether it was not told of all `count` signals.
        func isBehind(_ count: Int) -> Bool { heardCount.load(ordering: .relaxed) != count }

        /// Notes that this is being told of `count` signals.
        func counted(_ count: Int) { heardCount.store(count, ordering: .relaxed) }
    }

#endif
