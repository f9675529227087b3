// FutureError: the errors of a future itself.

/// An error of a future itself, as opposed to an error of its operation.
///
/// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FutureError: Error, Equatable {
    /// The promise or completion closure was released without being called. The future was created at `origin`.
    case abandoned(origin: SourceLocation)

    /// There was no result within this time, which is the time limit of the `timeout` or `wait(timeout:)` at `origin`.
    case timedOut(after: Duration, origin: SourceLocation)

    /// A transform returned a future that waits for the transform's own result.
    ///
    /// Not every such cycle is detected: a cycle through several steps that are not flatMaps, or through a `join`,
    /// stays pending forever.
    case awaitsItself

    /// There were no futures to select from.
    case noFutures

    /// An asynchronous sequence ended without an element.
    case noElement

    /// The completion of a function was called with neither a value nor an error. The future was created at `origin`.
    case neitherValueNorError(origin: SourceLocation)
}

extension FutureError {
    /// The source location where a future was created, or where a time limit was set.
    ///
    /// The parameters `file` and `line` of the library's functions are those of the caller by default. Errors and traps
    /// name them.
    public struct SourceLocation: Sendable, Equatable, CustomStringConvertible {
        // In 8 bytes, because every future has room for them: the address of the file's name, which ends with a zero,
        // and from bit 48 on the line. No system that Swift supports puts constants at addresses that need more bits.
        @usableFromInline var bits: UInt64 = 0

        /// Creates a source location; by default, the caller's.
        ///
        /// - Parameters:
        ///   - file: The file, as `#fileID` gives it.
        ///   - line: The line, counted from 1. One beyond 65,535 counts as 65,535.
        @_alwaysEmitIntoClient
        public init(_ file: StaticString = #fileID, line: UInt = #line) {
            let address = UInt64(UInt(bitPattern: file.utf8Start))
            bits = address >> 48 == 0 ? UInt64(min(line, 0xFFFF)) << 48 | address : 0
        }

        @inlinable
        init() {}

        private var start: UnsafePointer<UInt8>? { UnsafePointer(bitPattern: UInt(bits & 0xFFFF_FFFF_FFFF)) }

        /// The module and file, as in `#fileID`.
        public var fileID: String { start.map { String(cString: $0) } ?? "" }

        /// The line, counted from 1, up to 65,535.
        public var line: Int { Int(bits >> 48) }

        /// `Module/File.swift:12`.
        public var description: String { "\(fileID):\(line)" }

        /// Returns whether both are the same line of the same file.
        public static func == (a: SourceLocation, b: SourceLocation) -> Bool {
            a.bits == b.bits || a.line == b.line && a.fileID == b.fileID
        }
    }
}

extension FutureError: CustomStringConvertible {
    /// A sentence that says what happened. `Documentation/Guides/Errors.md` says what to do about it.
    public var description: String {
        switch self {
        case .abandoned(let origin):
            "The future made at \(origin) was abandoned: its promise or completion was released without being called. "
                + "Swift releases a promise at its last use, also one that a variable or an array holds."
        case .timedOut(let duration, let origin):
            "There was no result within \(duration.asDelay), the time limit at \(origin)."
        case .awaitsItself:
            "A transform returned a future that waits for the result of that same transform."
        case .noFutures:
            "There is no future to select from: the collection is empty."
        case .noElement:
            "The asynchronous sequence has ended without an element."
        case .neitherValueNorError(let origin):
            "The function that was called at \(origin) has called its completion with neither a value nor an error."
        }
    }
}
