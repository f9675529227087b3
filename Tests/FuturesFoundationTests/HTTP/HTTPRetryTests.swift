// What a server says about retries. Contract/HTTP.md

import Foundation
import Futures
import FuturesTesting
import Testing

@testable import FuturesFoundation

@Suite struct HTTPRetryTests {
    private func response(_ retryAfter: String, date: String? = nil) -> HTTPResponse {
        HTTPResponse(
            status: 503, fields: ["retry-after": retryAfter].merging(date.map { ["Date": $0] } ?? [:]) { a, _ in a })
    }

    @Test func `Retry-After is read as seconds`() {
        let times = ["120", " 0 ", "99999999999999999999999"].map { response($0).retryAfter }
        #expect(times == [.seconds(120), .zero, .seconds(1_000_000_000)])
        for bad in ["", "-1", "1.5", "soon", "1 2", "٣"] { #expect(response(bad).retryAfter == nil, "\(bad)") }
        #expect(HTTPResponse(status: 503).retryAfter == nil)
    }

    @Test func `Retry-After is read as a date in the three formats of HTTP`() {
        let now = Date(timeIntervalSince1970: 784_111_777 - 60)
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            #expect(Date(httpField: text) == Date(timeIntervalSince1970: 784_111_777), "\(text)")
            #expect(response(text).retryAfter(at: now) == .seconds(60), "\(text)")
        }
        for bad in [
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 1994", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
        ] { #expect(Date(httpField: bad) == nil, "\(bad)") }
    }

    @Test func `a date is compared with that of the reply, and one in the past is zero`() {
        let later = "Sun, 06 Nov 1994 08:49:37 GMT"
        let sooner = "Sun, 06 Nov 1994 08:49:07 GMT"
        #expect(response(later, date: sooner).retryAfter == .seconds(30))
        #expect(response(sooner, date: later).retryAfter == .zero)
        #expect(response(later).retryAfter == .zero)
    }

    /// Returns when each of the runs starts, and the error in the end.
    private func runs(_ policy: RetryPolicy, _ errors: [any Error]) throws -> [Duration] {
        let (time, starts) = (VirtualTime(), Locked<[Duration]>([]))
        let future = Future<Void>(on: time.scheduler) {
            let number = starts.withLock { starts in
                starts.append(time.now)
                return starts.count
            }
            if number <= errors.count { throw errors[number - 1] }
        }.retry(policy, on: time.scheduler)
        try time.runToEnd()
        #expect(future.isCompleted)
        return starts.withLock { $0 }
    }

    @Test func `the HTTP policy waits at least as long as the server asks for`() throws {
        let policy = RetryPolicy.http(.constant(.seconds(1)))
        let busy = [HTTPError.status(response("10")), HTTPError.status(HTTPResponse(status: 503))]
        #expect(try runs(policy, busy) == [.zero, .seconds(10), .seconds(11)])
    }

    @Test func `the HTTP policy gives up if the server asks for more than the limit`() throws {
        let policy = RetryPolicy.http(.constant(.seconds(1)), maxRetryAfter: .seconds(60))
        #expect(try runs(policy, [HTTPError.status(response("61"))]) == [.zero])
        #expect(try runs(policy, [HTTPError.status(response("60"))]) == [.zero, .seconds(60)])
    }

    @Test func `the HTTP policy retries transient errors only`() {
        for status in [408, 425, 429, 500, 502, 503, 504] {
            #expect(HTTPError.isTransient(HTTPError.status(HTTPResponse(status: status))))
        }
        for status in [301, 400, 401, 403, 404, 410, 501] {
            #expect(!HTTPError.isTransient(HTTPError.status(HTTPResponse(status: status))))
        }
        #expect(HTTPError.isTransient(HTTPError.timedOut(after: .seconds(1))))
        #expect(HTTPError.isTransient(URLError(.networkConnectionLost)))
        #expect(!HTTPError.isTransient(URLError(.unsupportedURL)))
        #expect(!HTTPError.isTransient(CancellationError()))
        #expect(!HTTPError.isTransient(HTTPError.bodyTooLarge(maxBodySize: 1)))
    }
}
