// quietWrite: writes without the signal that ends a process when a pipe has no reader any more.

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes to a file as the system's `write` does. If it is a pipe or a socket that has no reader any more, this fails with
/// `EPIPE` and raises no `SIGPIPE`, which would end the process.
///
/// The signal goes to the thread that writes. So the thread blocks it, and takes it if the write has raised it: not one that
/// was there before. What the process does with the signal otherwise stays as it is.
func quietWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let written = write(file, bytes, count)
    let code = errno
    // Also if it has written a part before.
    if written < count, !wasPending {
        sigpending(&pending)
        var signal: Int32 = 0
        // Ignored signals do not become pending: then there is nothing to wait for.
        if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &signal) }
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return written
}
