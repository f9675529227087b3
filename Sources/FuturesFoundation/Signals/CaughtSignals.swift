// CaughtSignals: the signals that the process catches, and the watches that wait for them.

import Dispatch
import Futures
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
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
        /// The number of `CaughtSignal`s.
        var catchCount = 0
        var watches: [Int: Watch] = [:]
        /// The action of the process for the signal before it was caught.
        var previous = sigaction()
    }

    private struct Watch {
        let signal: CaughtSignal
        let handler: @Sendable (Int) -> Void
        /// The number of signals that the handler was told of.
        var heardCount: Int
    }

    /// By the numbers of the signals. The code of a dictionary would be three kilobytes of each program.
    private static let state = Locked((caught: [Caught](repeating: Caught(), count: signalLimit), lastKey: 0))

    /// The number of signals of this kind that were delivered while it was caught.
    fileprivate static func count(of number: Int32) -> Int {
        signalCounts![Int(number)].load(ordering: .acquiring)
    }

    /// Catches the signal until `release` has been called as often.
    fileprivate static func retain(_ number: Int32) {
        _ = reading
        state.withLock { state in
            state.caught[Int(number)].catchCount += 1
            guard state.caught[Int(number)].catchCount == 1 else { return }
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
            sigaction(number, &action, &state.caught[Int(number)].previous)
        }
        // A process inherits the mask of the thread that has started it, and threads of Dispatch block almost all
        // signals: one that every thread blocks would never come. Now that it is caught, it does no harm.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    fileprivate static func release(_ number: Int32) {
        state.withLock { state in
            state.caught[Int(number)].catchCount -= 1
            if state.caught[Int(number)].catchCount == 0 { sigaction(number, &state.caught[Int(number)].previous, nil) }
        }
    }

    /// Calls `handler` with the number of signals so far, each time on another thread, when the signal comes after the
    /// last one that completed a run; until what this returns is disposed.
    static func watch(_ signal: CaughtSignal, _ handler: @escaping @Sendable (Int) -> Void) -> Disposer {
        let (number, heardCount) = (Int(signal.number), signal.heardCount.load(ordering: .relaxed))
        let key = state.withLock { state in
            state.lastKey += 1
            state.caught[number].watches[state.lastKey] = Watch(
                signal: signal, handler: handler, heardCount: heardCount)
            return state.lastKey
        }
        if count(of: signal.number) != heardCount { wakeReader() }
        return Disposer {
            // Released without the lock.
            let removed = state.withLock { $0.caught[number].watches.removeValue(forKey: key) }
            withExtendedLifetime(removed) {}
        }
    }

    /// Tells the watches of signals that have come since they were told.
    ///
    /// Each in a job of its own, because it may run user code, for which the others must not wait.
    private static func tellWatches() {
        let due = state.withLock { state in
            var due: [(Watch, count: Int)] = []
            for number in 0..<signalLimit {
                let count = count(of: Int32(number))
                for (key, watch) in state.caught[number].watches where watch.heardCount != count {
                    state.caught[number].watches[key]?.heardCount = count
                    due.append((watch, count))
                }
            }
            return due
        }
        for (watch, count) in due { Scheduler.unblocked.async { watch.handler(count) } }
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
    fileprivate let heardCount: Atomic<Int>

    init(_ number: Int32) {
        CaughtSignals.retain(number)
        self.number = number
        heardCount = Atomic(CaughtSignals.count(of: number))
    }

    deinit { CaughtSignals.release(number) }

    /// Notes that the last of `count` signals completes a run.
    func completesRun(_ count: Int) { heardCount.max(count, ordering: .relaxed) }
}
