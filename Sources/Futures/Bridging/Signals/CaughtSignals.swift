// CaughtSignals: the signals that the process catches, and the watches that wait for them.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    internal import Dispatch
    internal import Synchronization

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Bionic)
        internal import Bionic
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// The signals that are caught, and the watches that wait for them.
    ///
    /// By a handler that counts the signal and writes a byte into a pipe (the self-pipe trick of D. J. Bernstein),
    /// which Dispatch reads. Dispatch's own signal sources, on Linux, hear nothing if there are two of the same signal
    /// (6.3).
    ///
    /// The counts tell which signals a watch has heard of; the byte says only that one of them has changed. So nothing
    /// is lost if the pipe is full, and a signal from before a watch does not reach it, however late the pipe is read.
    enum CaughtSignals {
        private struct Caught {
            /// How many objects have it caught.
            var catchCount = 0
            var watches: [ObjectIdentifier: SignalWatch] = [:]
            /// What the process did with the signal before.
            var previous = sigaction()
        }

        private static let state = Locked<[Int32: Caught]>([:])

        /// How many signals with this number have come while it was caught.
        static func count(of number: Int32) -> Int {
            signalCounts![Int(number)].load(ordering: .acquiring)
        }

        /// Has the signal caught until as many calls of `release` have followed.
        static func retain(_ number: Int32) {
            _ = reading
            state.withLock { state in
                state[number, default: Caught()].catchCount += 1
                guard state[number]!.catchCount == 1 else { return }
                var action = sigaction()
                #if canImport(Darwin)
                    action.__sigaction_u.__sa_handler = noteSignal
                #elseif canImport(Musl)
                    action.__sa_handler.sa_handler = noteSignal
                #elseif canImport(Bionic)
                    action.sa_handler = noteSignal
                #else
                    action.__sigaction_handler.sa_handler = noteSignal
                #endif
                action.sa_flags = numericCast(SA_RESTART)
                sigaction(number, &action, &state[number]!.previous)
            }
        }

        static func release(_ number: Int32) {
            state.withLock { state in
                state[number]!.catchCount -= 1
                guard state[number]!.catchCount == 0, var caught = state.removeValue(forKey: number) else { return }
                sigaction(number, &caught.previous, nil)
            }
        }

        /// Has `watch` hear of what comes from `heardCount` of its signal on.
        static func add(_ watch: SignalWatch) {
            let number = watch.caught.number
            let isBehind = state.withLock { state in
                watch.heardCount.store(watch.caught.heardCount.load(ordering: .relaxed), ordering: .relaxed)
                state[number]!.watches[ObjectIdentifier(watch)] = watch
                return watch.isBehind(count(of: number))
            }
            if isBehind { wakeReader() }
        }

        static func remove(_ watch: SignalWatch) {
            // Released without the lock.
            let removed = state.withLock {
                $0[watch.caught.number]?.watches.removeValue(forKey: ObjectIdentifier(watch))
            }
            withExtendedLifetime(removed) {}
        }

        /// Tells those watches of whose signals others have come than they know.
        ///
        /// Each on a queue of its own, as it may run code of users: so none of them waits for another one's.
        private static func tellWatches() {
            let due = state.withLock { state in
                var due: [(watch: SignalWatch, count: Int)] = []
                for (number, caught) in state {
                    let count = count(of: number)
                    for watch in caught.watches.values where watch.isBehind(count) {
                        watch.hears(count)
                        due.append((watch, count))
                    }
                }
                return due
            }
            for (watch, count) in due { DispatchQueue.forOneBlock("futures.signal").async { watch.tell(count) } }
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
            signalPipe = ends[1]
            let counts = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: signalLimit)
            for number in 0..<signalLimit { (counts + number).initialize(to: Atomic(0)) }
            signalCounts = counts
            // Called once in ordinary code, for what Swift makes at the first use of a type: a handler may not.
            noteSignal(0)
            let source = DispatchSource.makeReadSource(
                fileDescriptor: input, queue: .withoutUserCode("futures.signals"))
            source.setEventHandler {
                // First the bytes, then the counts: a signal that finds the pipe full is counted already.
                var bytes = [UInt8](repeating: 0, count: 1024)
                _ = read(input, &bytes, bytes.count)
                tellWatches()
            }
            source.resume()
            return Locked(source)
        }()
    }

    /// One more than the greatest number of a signal on any system.
    private let signalLimit = 129

    // Safe, all of them: written once, before the first handler is set.
    private nonisolated(unsafe) var signalPipe: Int32 = -1
    private nonisolated(unsafe) var signalCounts: UnsafeMutablePointer<Atomic<Int>>?

    /// Runs inside of whatever the signal has interrupted: nothing is allowed but atomic steps and a few calls of the
    /// system.
    private func noteSignal(_ number: Int32) {
        let error = errno
        _ = signalCounts![Int(number)].add(1, ordering: .acquiringAndReleasing)
        wakeReader()
        errno = error
    }

    /// Has the pipe read; if it is full, it is about to be.
    private func wakeReader() {
        var byte: UInt8 = 0
        _ = write(signalPipe, &byte, 1)
    }

#endif
