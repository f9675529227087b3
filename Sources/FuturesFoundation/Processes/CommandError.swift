// CommandError: why a program has not succeeded.

import Foundation
import Futures

/// The reason for which a program has not succeeded.
///
/// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum CommandError: Error, Equatable {
    /// The program cannot be started. The code is that of `errno`.
    case notLaunched(executable: String, code: Int32)

    /// The program has ended, but nothing is known of its status. The code is that of `errno`.
    ///
    /// With `ECHILD`, other code of this process has waited for it, such as `waitpid(-1, …)`, or this process ignores
    /// `SIGCHLD`, which it may have inherited. The program may have succeeded, or was terminated by its limits.
    case statusUnavailable(executable: String, code: Int32)

    /// The program has ended with a status that `Command.acceptsStatus` rejects.
    case failed(executable: String, CommandOutput)

    /// The program was terminated, because it has written more than `Command.maxOutputSize`.
    case outputTooLarge(executable: String, maxOutputSize: Int)

    /// The program was terminated after this time, which is `Command.timeout`. The output is what it had written.
    case timedOut(executable: String, after: Duration, CommandOutput)
}

extension CommandError: CustomStringConvertible, LocalizedError, DescribedError {
    /// A sentence that says what happened, with the last line that the program has written to its standard error.
    public var description: String {
        switch self {
        case .statusUnavailable(let name, let code):
            "\(name) has ended, but its status is not available: \(String(cString: strerror(code))). "
                + "Other code of this process must not wait for it, nor ignore SIGCHLD."
        case .notLaunched(let name, let code): "Cannot launch \(name): \(String(cString: strerror(code)))"
        case .failed(let name, let output): "\(name) \(Self.ending(output.status))\(Self.lastLine(output))"
        case .outputTooLarge(let name, let limit): "\(name) has written more than \(limit) bytes, its limit."
        case .timedOut(let name, let limit, _): "\(name) was terminated after \(limit.asDelay), its time limit."
        }
    }

    private static func ending(_ status: CommandOutput.Status) -> String {
        switch status {
        case .exited(let code): "has exited with \(code)"
        case .signaled(let signal): "was terminated by signal \(signal)"
        }
    }

    private static func lastLine(_ output: CommandOutput) -> String {
        guard let line = output.errorText.split(whereSeparator: \.isNewline).last else { return "." }
        return ": \(line)"
    }
}
