// The report at exit: what is still pending when the process ends.

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

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)
    extension Diagnostics {
        /// Prints the report to standard error when the process exits, if futures are pending.
        ///
        /// A program that ends too early ends without a word: its main function returns, or calls `exit`, before a
        /// callback was called. The report names the futures whose callbacks were missed. Before it come the events that
        /// have not been printed yet, and the failures that nothing has observed of futures that still exist. The exit
        /// waits until they are printed, or until a handler of events has returned, for at most two seconds. A process
        /// that is terminated by a signal, or by `_exit`, prints nothing.
        ///
        /// With `FUTURES_DIAGNOSE` in the environment, this is so from the first future on.
        public static func dumpAtExit() { _ = exitReport }

        private static let exitReport: pid_t = {
            _ = atexit { reportExit() }
            return getpid()
        }()

        private static func reportExit() {
            // In a forked process, threads that have held locks do not exist.
            guard getpid() == exitReport else { return }
            // A variable of main.swift is never released.
            if isOn { RecordedEvent.tellUnobservedFailures() }
            // A handler may never return. Without one, events are only printed. The first one reads the symbols of the
            // program, which takes minutes under a sanitizer on a busy machine.
            let end = ContinuousClock.now + .seconds(hasHandler ? 2 : 300)
            while EventFlow.isBusy, ContinuousClock.now < end { usleep(1000) }
            guard isOn, Node.allRecorded.contains(where: \.isPending) else { return }
            Output.write("Futures: the process exits while futures are pending.\n")
            dump()
        }
    }
#endif
