// SignalWatch: watches a signal of the process.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    internal import Dispatch

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Bionic)
        internal import Bionic
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// Calls a closure for each delivery of a signal, until it is disposed or released.
    ///
    /// The signal's handler writes its number into a pipe that Dispatch reads: the self-pipe trick of D. J. Bernstein.
    /// Dispatch's own signal sources, on Linux with Swift 6.3, are not called if there are two of the same signal.
    final class SignalWatch: Disposable {
        private let number: Int32
        private let id: Int

        init(_ number: Int32, _ handler: @escaping @Sendable () -> Void) {
            self.number = number
            id = Watchers.add(handler, of: number)
        }

        deinit { dispose() }

        func dispose() { Watchers.remove(id, of: number) }
    }

    /// The closures to call, by signal.
    private enum Watchers {
        private struct Watched {
            var handlers: [Int: @Sendable () -> Void] = [:]
            /// The action of the signal before it was watched.
            var previous = sigaction()
        }

        private struct State {
            var watched: [Int32: Watched] = [:]
            var lastID = 0
        }

        private static let state = Locked(State())

        static func add(_ handler: @escaping @Sendable () -> Void, of number: Int32) -> Int {
            _ = reading
            return state.withLock { state in
                state.lastID += 1
                var watched = state.watched[number] ?? Watched()
                watched.handlers[state.lastID] = handler
                if watched.handlers.count == 1 {
                    var action = sigaction()
                    #if canImport(Darwin)
                        action.__sigaction_u.__sa_handler = tellPipe
                    #elseif canImport(Musl)
                        action.__sa_handler.sa_handler = tellPipe
                    #elseif canImport(Bionic)
                        action.sa_handler = tellPipe
                    #else
                        action.__sigaction_handler.sa_handler = tellPipe
                    #endif
                    action.sa_flags = numericCast(SA_RESTART)
                    sigaction(number, &action, &watched.previous)
                }
                state.watched[number] = watched
                return state.lastID
            }
        }

        static func remove(_ id: Int, of number: Int32) {
            // Released after the lock.
            let handler = state.withLock { state in
                let handler = state.watched[number]?.handlers.removeValue(forKey: id)
                if handler != nil, var watched = state.watched[number], watched.handlers.isEmpty {
                    sigaction(number, &watched.previous, nil)
                    state.watched[number] = nil
                }
                return handler
            }
            withExtendedLifetime(handler) {}
        }

        /// The source that reads the pipe. Created at the first use, and never released; it occupies no thread while
        /// there is nothing to read.
        private static let reading: Locked<any DispatchSourceRead> = {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { fatalError("Cannot create the pipe for signals: too many files are open.") }
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
            let input = ends[0]
            pipeOfSignals = ends[1]
            let source = DispatchSource.makeReadSource(
                fileDescriptor: input, queue: DispatchQueue(label: "futures.signals"))
            source.setEventHandler {
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = read(input, &bytes, bytes.count)
                for number in bytes.prefix(max(count, 0)) { tell(Int32(number)) }
            }
            source.resume()
            return Locked(source)
        }()

        private static func tell(_ number: Int32) {
            let handlers = state.withLock { $0.watched[number].map { Array($0.handlers.values) } ?? [] }
            for handler in handlers { handler() }
        }
    }

    // Safe: written once, before the first handler is installed.
    private nonisolated(unsafe) var pipeOfSignals: Int32 = -1

    /// The signal handler. It may interrupt any code, so it calls async-signal-safe functions only.
    private func tellPipe(_ number: Int32) {
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe holds more signals than a process can be interested in: this one may be dropped.
        _ = write(pipeOfSignals, &byte, 1)
        errno = error
    }

#endif
