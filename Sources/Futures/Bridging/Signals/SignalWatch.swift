// SignalWatch: one future or stream that waits for a signal.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    internal import Synchronization

    /// Keeps a signal caught for as long as this lives: for a future and all of its repetitions.
    final class CaughtSignal: Sendable {
        let number: Int32
        /// How many of the signals had come when a watch was told for the last time; at first, when this was made. A
        /// repetition waits for those behind.
        let heardCount: Atomic<Int>

        init(_ number: Int32) {
            CaughtSignals.retain(number)
            self.number = number
            heardCount = Atomic(CaughtSignals.count(of: number))
        }

        deinit { CaughtSignals.release(number) }
    }

    /// Calls a closure for each delivery of a signal, until it is disposed.
    final class SignalWatch: Disposable {
        let caught: CaughtSignal
        /// How many of the signals it has heard of.
        let heardCount = Atomic(0)
        private let handler: Locked<(@Sendable () -> Void)?>

        private init(_ caught: CaughtSignal, _ handler: @escaping @Sendable () -> Void) {
            self.caught = caught
            self.handler = Locked(handler)
        }

        /// Calls `handler`, each time on another thread, when the signal comes.
        static func start(_ caught: CaughtSignal, _ handler: @escaping @Sendable () -> Void) -> SignalWatch {
            let watch = SignalWatch(caught, handler)
            CaughtSignals.add(watch)
            return watch
        }

        func dispose() {
            CaughtSignals.remove(self)
            // Released without the lock.
            let handler = handler.withLock { $0.take() }
            withExtendedLifetime(handler) {}
        }

        /// Calls the handler, unless this was disposed.
        func tell() {
            handler.withLock { $0 }?()
        }

        /// Whether there were signals that it has not heard of, if there were `count`.
        func isBehind(_ count: Int) -> Bool { heardCount.load(ordering: .relaxed) != count }

        /// Knows of `count` signals.
        func hears(_ count: Int) {
            heardCount.store(count, ordering: .relaxed)
            caught.heardCount.store(count, ordering: .relaxed)
        }
    }

#endif
