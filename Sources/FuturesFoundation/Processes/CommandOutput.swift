// CommandOutput: how a program has ended, and what it has written.

import Foundation

/// How a program has ended, and what it has written.
public struct CommandOutput: Sendable, Equatable {
    /// How a program has ended.
    ///
    /// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Status: Sendable, Equatable {
        /// The program has exited with a code, which is 0 if it has succeeded.
        case exited(Int32)
        /// A signal has terminated the program.
        case signaled(Int32)
    }

    /// How the program has ended.
    public let status: Status
    /// What it has written to its standard output.
    public let standardOutput: Data
    /// What it has written to its standard error.
    public let standardError: Data

    /// Creates an output, for instance for a test.
    ///
    /// - Parameters:
    ///   - status: How the program has ended.
    ///   - standardOutput: What it has written to its standard output.
    ///   - standardError: What it has written to its standard error.
    public init(status: Status, standardOutput: Data = Data(), standardError: Data = Data()) {
        self.status = status
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// The standard output as text, in UTF-8. Invalid bytes become replacement characters.
    public var text: String { String(decoding: standardOutput, as: UTF8.self) }

    /// The standard error as text, in UTF-8. Invalid bytes become replacement characters.
    package var errorText: String { String(decoding: standardError, as: UTF8.self) }
}
