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
    /// Says it on standard error.
    static func warn(_ message: String) {
        write(message + "\n")
    }

    /// Says why on standard error and ends the program; 2 is for what the user got wrong.
    static func fail(_ message: String, status: Int32 = 2) -> Never {
        warn(message)
        exit(status: status)
    }

    /// Shows what is going on, in a line that the next one replaces; nothing, if nobody looks.
    static func progress(_ text: String) {
        if isatty(2) != 0 { write("\r\u{1B}[K" + text) }
    }

    private static func write(_ text: String) {
        // The C library's `stderr` is a global variable, which Swift 6 does not let us touch.
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

    /// How many processors the system has for us.
    static var processors: Int {
        #if canImport(ucrt)
            1
        #else
            max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        #endif
    }
}

/// Files, without Foundation: what the benchmarks load is a part of what they measure.
enum Files {
    /// The text in a file; nil, if there is none.
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

    /// Whether the text is in the file now.
    static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "wb") else { return false }
        let bytes = Array(text.utf8)
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        return fclose(file) == 0 && isWritten
    }
}
