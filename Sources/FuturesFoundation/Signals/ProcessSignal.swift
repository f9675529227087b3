// ProcessSignal: signals of the operating system, such as Ctrl-C, as futures and asynchronous sequences.

import Futures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

/// A signal that the operating system delivers to this process.
///
///     ProcessSignal.interrupt.future().onValue { _ in queue.close() }
///
/// The signal does not terminate the process while a future or a stream waits for it, or while a future of it is
/// retained, because that could be repeated. When the last of them is released, the previous action of the signal
/// is restored. A future or stream does not see signals that were delivered before it was created. The thread that
/// creates one can receive the signal from then on, if it has blocked it before.
public struct ProcessSignal: Hashable, Sendable, CustomStringConvertible {
    /// The signal's number, as in `signal.h`.
    public let number: Int32

    /// Creates a signal from its number: `ProcessSignal(SIGWINCH)`.
    ///
    /// - Precondition: `number` is a signal that can be caught: it exists, and is not `SIGKILL` or `SIGSTOP`.
    public init(_ number: Int32, file: StaticString = #fileID, line: UInt = #line) {
        // `sigaction` without a new action changes nothing, and fails for numbers that are no signals.
        guard number != SIGKILL, number != SIGSTOP, sigaction(number, nil, nil) == 0 else {
            fatalError(
                "Signal \(number) cannot be caught. Use a signal that can be, such as SIGTERM.", file: file,
                line: line)
        }
        self.number = number
    }

    /// `SIGINT`: Ctrl-C in a terminal.
    public static let interrupt = ProcessSignal(SIGINT)
    /// `SIGTERM`: a request to terminate, as by `kill`.
    public static let terminate = ProcessSignal(SIGTERM)
    /// `SIGHUP`: the terminal was closed; for servers, by convention, a request to reload the configuration.
    public static let hangUp = ProcessSignal(SIGHUP)

    /// The word `signal` and the number, such as `signal 2`.
    public var description: String { "signal \(number)" }
}

extension ProcessSignal {
    /// Returns a future that succeeds when the process next receives this signal.
    ///
    /// The future waits until the signal is delivered or the future is cancelled. A repetition waits for the next
    /// signal after the last one that completed this future, so it misses none; signals in quick succession may
    /// count as one.
    public func future() -> Future<ProcessSignal> {
        let caught = CaughtSignal(number)
        // A step of its own: one that was cancelled is not called, so that a repetition has the signal.
        return Future<Int>(on: .immediate) { completion in
            CaughtSignals.watch(caught) { count in completion(.success(count)) }
        }
        .map(on: .immediate) { count in
            caught.completesRun(count)
            return self
        }
    }

    /// Returns a stream with an element for each time that the process receives this signal, from now on.
    ///
    /// Signals in quick succession may be delivered as one. The stream stops watching the signal when the task that
    /// iterates it is cancelled, or when the stream and its iterators are released.
    public func stream() -> AsyncStream<ProcessSignal> {
        AsyncStream { stream in
            let watch = CaughtSignals.watch(CaughtSignal(number)) { _ in stream.yield(self) }
            stream.onTermination = { _ in watch.dispose() }
        }
    }
}
