// Diagnosing: what is printed when the process exits. Contract/Diagnosing.md

import Foundation
import Futures
import FuturesDiagnostics
import Testing

/// The read end of what standard error is in the processes of these tests.
private let output = Shared<Int32>(-1)

/// Collects what the process prints to standard error, and when it has exited, and all else has run, ends it with 7 if
/// `isRight` accepts the text, and with 1 otherwise.
private func checkAtExit(_ isRight: @escaping @Sendable (String) -> Bool) {
    check.value = isRight
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, dup2(ends[1], 2) == 2 else { _exit(2) }
    close(ends[1])
    output.value = ends[0]
    // The functions for the exit are called from the last one to the first.
    atexit {
        // The last writer, so that the text has an end.
        close(2)
        var (text, bytes) = ("", [UInt8](repeating: 0, count: 4096))
        while true {
            let count = read(output.value, &bytes, bytes.count)
            guard count > 0 else { break }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        print(text)
        _exit(check.change { $0! }(text) ? 7 : 1)
    }
}
private let check = Shared<(@Sendable (String) -> Bool)?>(nil)

@Suite struct DiagnosticsExitTests {
    @Test func `a process that exits while futures are pending prints the report`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            checkAtExit { text in
                text.hasPrefix("Futures: the process exits while futures are pending.\nFutures: 2 pending")
                    && text.contains("map ")
                    && text.contains("Promise at FuturesTests/DiagnosticsExitTests.swift")
            }
            Diagnostics.isOn = true
            Diagnostics.dumpAtExit()
            // A second call adds nothing.
            Diagnostics.dumpAtExit()
            let promise = Promise<Int>()
            let future = promise.future.map(on: .immediate) { $0 + 1 }
            withExtendedLifetime((promise, future)) { exit(0) }
        }
    }

    @Test func `a process that exits while no future is pending prints nothing`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            checkAtExit { $0.isEmpty }
            Diagnostics.isOn = true
            Diagnostics.dumpAtExit()
            let promise = Promise<Int>()
            let future = promise.future.map(on: .immediate) { $0 + 1 }
            promise.succeed(1)
            withExtendedLifetime(future) { exit(0) }
        }
    }

    @Test func `events that have not been printed are printed before the process exits`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            checkAtExit { text in
                text.hasPrefix("Futures: The future made at ")
                    && text.hasSuffix("also one that a variable or an array holds.\n")
            }
            Diagnostics.isOn = true
            Diagnostics.dumpAtExit()
            _ = Promise<Int>()
            exit(0)
        }
    }
}
