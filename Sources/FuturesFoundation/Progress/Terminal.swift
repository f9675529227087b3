// Terminal: where a program shows its progress, and what can be shown there.

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

/// A place for the messages of a command-line program, and what it can show.
struct Terminal: Sendable {
    /// Whether a line can be drawn again. If not, as in a log file, lines follow each other.
    var isInteractive: Bool
    /// Whether colors are shown.
    var showsColors: Bool
    /// Returns the number of columns. It is asked for each line, because a user may change it.
    var width: @Sendable () -> Int
    /// Writes text.
    var write: @Sendable (String) -> Void

    init(
        isInteractive: Bool, showsColors: Bool = false, width: @escaping @Sendable () -> Int = { 80 },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.isInteractive = isInteractive
        self.showsColors = showsColors
        self.width = width
        self.write = write
    }

    /// The standard error of this process.
    ///
    /// It is interactive if it is a terminal and `TERM` is not `dumb`. It then shows colors, unless `NO_COLOR` is set.
    /// The width is that of the terminal, or that of `COLUMNS`, or 80.
    static let standardError = Terminal(.standardError, ProcessInfo.processInfo.environment)

    init(_ file: FileHandle, _ environment: [String: String]) {
        let descriptor = file.fileDescriptor
        self.init(
            isInteractive: isatty(descriptor) == 1 && environment["TERM"] != "dumb",
            width: {
                var size = winsize()
                if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
                return environment["COLUMNS"].flatMap { Int($0) }.map { max($0, 1) } ?? 80
            },
            write: { try? file.write(contentsOf: Data($0.utf8)) })
        showsColors = isInteractive && environment["NO_COLOR", default: ""].isEmpty
    }
}
