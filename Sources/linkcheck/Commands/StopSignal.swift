// StopSignal: the signals that end a check early, with a partial report.

import Foundation
import Futures
import FuturesFoundation

enum StopSignal {
    /// Returns a future that succeeds with the first of SIGINT, SIGTERM and SIGHUP.
    static func future() -> Future<ProcessSignal> {
        var signals: [ProcessSignal] = [.interrupt, .terminate]
        if !isIgnored(SIGHUP) { signals.append(.hangUp) }
        return select(between: signals.map { $0.future() })
    }

    /// Returns whether the program that started this one, such as `nohup`, has it ignore the signal.
    private static func isIgnored(_ number: Int32) -> Bool {
        let previous = signal(number, SIG_IGN)
        let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if !isIgnored { _ = signal(number, previous) }
        return isIgnored
    }
}

extension ProcessSignal {
    /// What has ended the check.
    var cause: String {
        switch number {
        case SIGINT: "Ctrl-C"
        case SIGTERM: "SIGTERM"
        default: "SIGHUP"
        }
    }

    /// The exit status of a program that the signal has ended.
    var exitStatus: Int32 { 128 + number }
}
