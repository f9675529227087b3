// Messages of errors. Contract/Foundation.md

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct LocalizedErrorTests {
    @Test func `the localized description of an error is its description`() {
        let errors: [any Error & CustomStringConvertible] = [
            FutureError.noFutures, FutureError.timedOut(after: .seconds(1), origin: .init()), QueueError.closed,
            QueueError.full(maxWaitingCount: 3), QueueError.leaseLost(name: "a"),
            AwaitError.timedOut(identifier: "page"),
            TooFewSuccessesError(wanted: 2, count: 3, errors: [Oops()]), HTTPError.bodyTooLarge(maxBodySize: 1),
            HTTPError.status(HTTPResponse(status: 404)), FileError.tooLarge(path: "a", maxSize: 1),
            CommandError.notLaunched(executable: "a", code: ENOENT),
        ]
        for error in errors {
            let description = "\(error)"
            #expect((error as any Error).localizedDescription == description)
            #expect(!description.contains("\n") && description.count > 10, "\(description)")
        }
    }

    @Test func `the reason of too few successes is the errors of the futures`() {
        let error = TooFewSuccessesError(wanted: 2, count: 3, errors: [QueueError.closed, FutureError.noFutures])
        let lines = error.failureReason?.split(separator: "\n").map(String.init)
        #expect(lines == ["\(QueueError.closed)", "\(FutureError.noFutures)"])
        #expect(TooFewSuccessesError(wanted: 1, count: 0, errors: []).failureReason == nil)
    }
}
