// The report on Ctrl-\: SIGQUIT prints it, and the program continues.

import Dispatch
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

extension Diagnostics {
    /// Prints the report to standard error.
    package static func dump() {
        let count = Node.allRecorded.count
        // Otherwise it looks as if the program ignored Ctrl-\.
        if count > 20_000 { Output.write("Futures: the report of \(count) pending futures takes a moment.\n") }
        Output.write(report())
    }

    /// Prints the report to standard error whenever the process receives `SIGQUIT`, as Ctrl-\ in a terminal sends
    /// it, until the returned object is disposed. The process does not terminate. A program that handles the signal itself
    /// gets it instead.
    ///
    /// With `FUTURES_DIAGNOSE` in the environment, this is so from the first future on.
    package static func dumpOnQuit() -> any Disposable {
        let previous = signal(SIGQUIT, SIG_IGN)
        let source = Locked(DispatchSource.makeSignalSource(signal: SIGQUIT, queue: .apart("futures.quit")))
        // Before that, a signal would be ignored.
        let isRegistered = DispatchSemaphore(value: 0)
        source.withLock { source in
            source.setRegistrationHandler { isRegistered.signal() }
            source.setEventHandler { dump() }
            source.activate()
        }
        isRegistered.wait()
        return Disposer {
            source.withLock { $0.cancel() }
            _ = signal(SIGQUIT, previous)
        }
    }
}
