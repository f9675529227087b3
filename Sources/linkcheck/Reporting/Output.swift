// Output: writes text to a file descriptor, and reports failures as errors.

import Foundation

/// A file descriptor to write to, such as the standard output. `print` and `FileHandle` ignore errors, or trap.
struct Output: Sendable {
    static let standard = Output(descriptor: 1, name: "standard output")
    static let standardError = Output(descriptor: 2, name: "standard error")

    let descriptor: Int32
    let name: String

    /// Writes a text and a line break.
    func write(line: String) throws(OutputError) {
        try write(line + "\n")
    }

    func write(_ text: String) throws(OutputError) {
        var rest = Bytes(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                // A terminal or a pipe may be non-blocking, because another program has made it so.
                var descriptors = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptors, 1, -1)
            } else if errno != EINTR {
                throw OutputError(name: name, reason: String(cString: strerror(errno)))
            }
        }
    }

    /// Whether a person reads it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Prepares the process: a reader that is gone is an error and not a signal, and no socket takes the place of a
    /// closed standard output.
    static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free descriptor is this one. Writing to it fails, because it is open for reading.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}

/// Text could not be written.
struct OutputError: Error, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "cannot write to the \(name): \(reason)" }
}
