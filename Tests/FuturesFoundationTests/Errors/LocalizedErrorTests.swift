// Messages of errors, and which of them are timeouts. Contract/Foundation.md

import Foundation
import Futures
import FuturesFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct LocalizedErrorTests {
    @Test func `a localized description has no source locations`() {
        let (place, other) = (FutureError.SourceLocation(), FutureError.SourceLocation(line: 1))
        let errors: [any Error] = [
            FutureError.abandoned(origin: place), FutureError.timedOut(after: .seconds(1), origin: place),
            FutureError.neitherValueNorError(origin: place), QueueError.deadlock(running: place, waiting: other),
            QueueError.deadlock(running: place, waiting: place), AwaitError.timedOut(identifier: "\(place)"),
            TooFewSuccessesError(wanted: 2, count: 2, errors: [FutureError.abandoned(origin: place)]),
        ]
        for error in errors {
            let texts = [error.localizedDescription, (error as NSError).localizedFailureReason ?? ""]
            #expect("\(error)".contains(place.fileID) && texts[0].hasSuffix("."), "\(error)")
            for text in texts { #expect(!text.contains(".swift"), "\(text)") }
        }
    }

    @Test func `the localized description of an error without source locations is its description`() {
        let errors: [any Error & CustomStringConvertible] = [
            FutureError.noFutures, QueueError.closed, QueueError.full(maxWaitingCount: 3),
            CircuitBreaker.OpenError(retryAfter: .seconds(1)),
            HTTPError.bodyTooLarge(maxBodySize: 1),
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
