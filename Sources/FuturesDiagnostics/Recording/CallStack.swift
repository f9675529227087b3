// CallStack: which functions have called the code that makes a future.

internal import CFutures

enum CallStack {
    /// The return addresses of the functions that are in progress, the innermost first, at most 20 of them.
    ///
    /// They are numbers until a report is asked for: to find the names of functions takes a thousand times as long.
    @inline(never)
    static var here: [UInt] {
        [UInt](unsafeUninitializedCapacity: 20) { buffer, count in
            count = cfutures_return_addresses(buffer.baseAddress!, buffer.count)
        }
    }
}
