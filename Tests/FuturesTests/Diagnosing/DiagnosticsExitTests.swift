// Diagnosing: what is printed when the process exits. Contract/Diagnosing.md

import Foundation
import Futures
import FuturesDiagnostics
import Testing

@Suite struct DiagnosticsExitTests {
    @Test func `a process that exits while futures are pending prints the report`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Diagnostics.isOn = true
            Diagnostics.dumpAtExit()
            // A second call adds nothing.
            Diagnostics.dumpAtExit()
            let promise = Promise<Int>()
            let future = promise.future.map(on: .immediate) { $0 + 1 }
            withExtendedLifetime((promise, future)) { exit(0) }
        }
        let start = "Futures: the process exits while futures are pending.\n"
        #expect(result.said.hasPrefix(start + "Futures: 2 pending") && result.said.split(separator: start).count == 1)
        #expect(result.said.contains("map "))
        #expect(result.said.contains("Promise at FuturesTests/DiagnosticsExitTests.swift"))
    }

    @Test func `a process that exits while no future is pending prints nothing`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Diagnostics.isOn = true
            Diagnostics.dumpAtExit()
            let promise = Promise<Int>()
            let future = promise.future.map(on: .immediate) { $0 + 1 }
            promise.succeed(1)
            withExtendedLifetime(future) { exit(0) }
        }
        #expect(!result.said.contains("Futures"))
    }

    @Test func `events that have not been printed are printed before the process exits`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Diagnostics.isOn = true
            Diagnostics.dumpAtExit()
            _ = Promise<Int>()
            exit(0)
        }
        #expect(result.said.hasPrefix("Futures: The future made at "))
        #expect(result.said.hasSuffix("also one that a variable or an array holds.\n"))
    }
}
