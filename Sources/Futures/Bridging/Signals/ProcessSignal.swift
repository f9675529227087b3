// Signals of the process: Ctrl-C and its like, as futures and as asynchronous sequences.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Bionic)
        internal import Bionic
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// A signal of the operating system to this process.
    ///
    ///     ProcessSignal.interrupt.future().onValue { _ in queue.close() }
    ///
    /// While anybody waits for a signal, or holds a future of it, which could be repeated, it does not end the process any
    /// more; when the last one has left, it is treated as before. Whoever waits hears of what comes from then on.
    public struct ProcessSignal: Hashable, Sendable, CustomStringConvertible {
        /// The system's number for it.
        public let number: Int32

        /// Makes one of the system's number: `ProcessSignal(SIGWINCH)`.
        ///
        /// - Precondition: there is such a signal, and it can be caught: it is not `SIGKILL` or `SIGSTOP`.
        public init(_ number: Int32, file: StaticString = #fileID, line: UInt = #line) {
            // Asked without a change, `sigaction` tells the numbers that are none.
            guard number != SIGKILL, number != SIGSTOP, sigaction(number, nil, nil) == 0 else {
                fatalError(
                    "Signal \(number) cannot be caught. Use one of signal.h that can be, such as SIGTERM.", file: file,
                    line: line)
            }
            self.number = number
        }

        /// Ctrl-C.
        public static let interrupt = ProcessSignal(SIGINT)
        /// A polite request to end, as by `kill`.
        public static let terminate = ProcessSignal(SIGTERM)
        /// The terminal has gone; or, to a server, a request to read its configuration again.
        public static let hangUp = ProcessSignal(SIGHUP)

        /// `signal 2`.
        public var description: String { "signal \(number)" }
    }

    extension ProcessSignal {
        /// A future that succeeds when the process next gets this signal.
        ///
        /// Whether anybody listens or not, it waits until it is cancelled. A repetition waits for the next one after the
        /// last one that this future was told of, so it misses none; those that come together may count as one.
        public func future() -> Future<ProcessSignal> {
            let caught = CaughtSignal(number)
            return Future(on: .immediate) { completion in
                SignalWatch.start(caught) { completion(.success(self)) }
            }
        }

        /// Each time that the process gets this signal, from now on; signals that come together may count as one.
        ///
        /// Whoever stops to iterate, or is cancelled, stops to wait for it.
        public func stream() -> AsyncStream<ProcessSignal> {
            AsyncStream { stream in
                let watch = SignalWatch.start(CaughtSignal(number)) { stream.yield(self) }
                stream.onTermination = { _ in watch.dispose() }
            }
        }
    }

#endif
