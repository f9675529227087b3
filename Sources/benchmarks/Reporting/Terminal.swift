// Terminal: messages, progress, files, and the exit status.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(ucrt)
    import ucrt
#endif

/// Messages that are not results, and the exit status.
enum Terminal {
    /// Writes a message to standard error.
    static func warn(_ message: String) {
        write(message + "\n")
    }

    /// Writes a message to standard error and exits. The default status of 2 is for errors of the user.
    static func fail(_ message: String, status: Int32 = 2) -> Never {
        warn(message)
        exit(status: status)
    }

    /// Shows the progress in a line that the next call replaces, if standard error is a terminal.
    static func progress(_ text: String) {
        if isatty(2) != 0 { write("\r\u{1B}[K" + text) }
    }

    private static func write(_ text: String) {
        // The C library's `stderr` is a global variable, to which Swift 6 does not allow access.
        var text = text
        text.withUTF8 { bytes in
            #if canImport(Darwin)
                _ = Darwin.write(2, bytes.baseAddress, numericCast(bytes.count))
            #elseif canImport(Glibc)
                _ = Glibc.write(2, bytes.baseAddress, numericCast(bytes.count))
            #elseif canImport(Musl)
                _ = Musl.write(2, bytes.baseAddress, numericCast(bytes.count))
            #elseif canImport(Android)
                _ = Android.write(2, bytes.baseAddress, numericCast(bytes.count))
            #else
                _ = ucrt.write(2, bytes.baseAddress, numericCast(bytes.count))
            #endif
        }
    }

    static func exit(status: Int32) -> Never {
        #if canImport(Darwin)
            Darwin.exit(status)
        #elseif canImport(Glibc)
            Glibc.exit(status)
        #elseif canImport(Musl)
            Musl.exit(status)
        #elseif canImport(Android)
            Android.exit(status)
        #else
            ucrt.exit(status)
        #endif
    }

    /// The number of available processors, or 1 where that is unknown.
    static var processors: Int {
        #if canImport(ucrt)
            1
        #else
            max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        #endif
    }
}

/// Reads and writes files without Foundation, because loading it would affect the measurements.
enum Files {
    /// Returns the text of a file, or nil if the file cannot be opened.
    static func read(_ path: String) -> String? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    /// Writes the text to a file. Returns whether that has succeeded.
    static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "wb") else { return false }
        let bytes = Array(text.utf8)
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        return fclose(file) == 0 && isWritten
    }
}
