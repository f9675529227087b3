// SignalWatch: how the process hears of its signals.

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

    /// Hears of a signal, until it is disposed or released.
    ///
    /// By a handler that writes the signal's number into a pipe (the self-pipe trick of D. J. Bernstein), which Dispatch
    /// reads. Dispatch's own signal sources, on Linux, hear nothing if there are two of the same signal (6.3).
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

    /// Who hears of which signals.
    private enum Watchers {
        private struct Watched {
            var handlers: [Int: @Sendable () -> Void] = [:]
            /// What the process did with the signal before.
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
            // Released without the lock.
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

        /// Made at its first use, and there as long as the process: it needs no thread while nothing is to be read.
        private static let reading: Locked<any DispatchSourceRead> = {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { fatalError("No pipe for signals: too many files are open.") }
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

    // Safe: written once, before the first handler is set.
    private nonisolated(unsafe) var pipeOfSignals: Int32 = -1

    /// Runs inside of whatever the signal has interrupted: nothing is allowed but a few calls of the system.
    private func tellPipe(_ number: Int32) {
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // If the pipe is full, the signal is known already.
        _ = write(pipeOfSignals, &byte, 1)
        errno = error
    }

#endif
