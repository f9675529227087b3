// CaughtSignals: the signals that the process catches, and the watches that wait for them.

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
/// A handler counts the signal and writes a byte into a pipe that Dispatch reads (the self-pipe trick of
/// D. J. Bernstein). Dispatch's own signal sources are not used: on Linux, none of two sources of one signal is
/// notified (6.3).
///
/// The counts decide which signals a watch is told of. The byte says only that a count has changed. So no signal is
/// lost if the pipe is full, and a watch is not told of a signal that came before it, however late the pipe is
/// read.
enum CaughtSignals {
    private struct Caught {
        /// The number of calls of `retain` without a `release`.
        var catchCount = 0
        var watches: [ObjectIdentifier: SignalWatch] = [:]
        /// The action of the process for the signal before it was caught.
        var previous = sigaction()
    }

    /// By the numbers of the signals. The code of a dictionary would be three kilobytes of each program.
    private static let state = Locked([Caught](repeating: Caught(), count: signalLimit))

    /// The number of signals of this kind that were delivered while it was caught.
    static func count(of number: Int32) -> Int {
        signalCounts![Int(number)].load(ordering: .acquiring)
    }

    /// Catches the signal until `release` has been called as often.
    static func retain(_ number: Int32) {
        _ = reading
        state.withLock { state in
            state[Int(number)].catchCount += 1
            guard state[Int(number)].catchCount == 1 else { return }
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
            sigaction(number, &action, &state[Int(number)].previous)
        }
        // A process inherits the mask of the thread that has started it, and threads of Dispatch block almost all
        // signals: one that every thread blocks would never come. Now that it is caught, it does no harm.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    static func release(_ number: Int32) {
        state.withLock { state in
            state[Int(number)].catchCount -= 1
            if state[Int(number)].catchCount == 0 { sigaction(number, &state[Int(number)].previous, nil) }
        }
    }

    /// Adds a watch, which is told of the signals after the last one that completed a run.
    static func add(_ watch: SignalWatch) {
        let number = watch.caught.number
        let isBehind = state.withLock { state in
            watch.heardCount.store(watch.caught.heardCount.load(ordering: .relaxed), ordering: .relaxed)
            state[Int(number)].watches[ObjectIdentifier(watch)] = watch
            return watch.isBehind(count(of: number))
        }
        if isBehind { wakeReader() }
    }

    static func remove(_ watch: SignalWatch) {
        // Released without the lock.
        let removed = state.withLock {
            $0[Int(watch.caught.number)].watches.removeValue(forKey: ObjectIdentifier(watch))
        }
        withExtendedLifetime(removed) {}
    }

    /// Tells the watches of signals that have come since they were told.
    ///
    /// Each in a job of its own, because it may run user code, for which the others must not wait.
    private static func tellWatches() {
        let due = state.withLock { state in
            var due: [(watch: SignalWatch, count: Int)] = []
            for number in 0..<signalLimit {
                let count = count(of: Int32(number))
                for watch in state[number].watches.values where watch.isBehind(count) {
                    watch.counted(count)
                    due.append((watch, count))
                }
            }
            return due
        }
        for (watch, count) in due { Scheduler.unblocked.async { watch.tell(count) } }
    }

    /// Created when it is first used, for the life of the process. It needs no thread while there is nothing to
    /// read.
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
        // Called once in ordinary code, because Swift allocates when a type is first used, and a handler must not.
        noteSignal(0)
        let source = DispatchSource.makeReadSource(
            fileDescriptor: input, queue: .apart("futures.signals"))
        source.setEventHandler {
            // First the bytes, then the counts: a signal that finds the pipe full has been counted.
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

// Safe: both are written once, before the first handler is installed.
private nonisolated(unsafe) var signalPipe: Int32 = -1
private nonisolated(unsafe) var signalCounts: UnsafeMutablePointer<Atomic<Int>>?

/// The handler. It interrupts other code, so only atomic operations and async-signal-safe calls are allowed.
private func noteSignal(_ number: Int32) {
    let error = errno
    _ = signalCounts![Int(number)].add(1, ordering: .acquiringAndReleasing)
    wakeReader()
    errno = error
}

/// Makes Dispatch read the pipe. If the pipe is full, it is about to be read.
private func wakeReader() {
    var byte: UInt8 = 0
    _ = write(signalPipe, &byte, 1)
}

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
