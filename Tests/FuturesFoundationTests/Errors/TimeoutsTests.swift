// isTimeout of the errors of FuturesFoundation.

import Foundation
import Futures
import FuturesFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct TimeoutsTests {
    @Test func `an error of a request or a program tells whether its time limit has passed`() {
        let output = CommandOutput(status: .signaled(15), standardOutput: Data())
        let late: [any Error] = [
            HTTPError.timedOut(after: .seconds(1)), HTTPError.idleTimedOut(after: .seconds(1)), URLError(.timedOut),
            CommandError.timedOut(executable: "a", after: .seconds(1), output),
        ]
        for error in late { #expect(error.isTimeout, "\(error)") }
        let others: [any Error] = [
            HTTPError.notHTTP(nil), URLError(.cannotFindHost), CommandError.failed(executable: "a", output),
        ]
        for error in others { #expect(!error.isTimeout, "\(error)") }
    }
}
