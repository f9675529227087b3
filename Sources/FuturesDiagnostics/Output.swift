// Output: text on standard error, without Foundation.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

enum Output {
    /// Writes to standard error, all of it unless that is closed.
    static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { send($0) }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    private static func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(2, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(2, bytes.baseAddress, bytes.count)
        #elseif canImport(Bionic)
            Bionic.write(2, bytes.baseAddress, bytes.count)
        #elseif canImport(Darwin)
            Darwin.write(2, bytes.baseAddress, bytes.count)
        #else
            0
        #endif
    }
}
