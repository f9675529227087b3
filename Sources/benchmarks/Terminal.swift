// Terminal: messages and exit status.

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
        // The C library's `stderr` is a global variable, which Swift 6 does not let us touch.
        var text = message + "\n"
        text.withUTF8 { _ = write(2, $0.baseAddress, numericCast($0.count)) }
    }

    /// Says why on standard error and ends the program; 2 is for what the user got wrong.
    static func fail(_ message: String, status: Int32 = 2) -> Never {
        warn(message)
        exit(status: status)
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
}
