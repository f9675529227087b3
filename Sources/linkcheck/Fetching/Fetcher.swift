// Fetcher: sends HTTP requests with concurrency limits, timeouts and retries, and follows redirects.

import Foundation
import Futures

/// Sends HTTP requests with concurrency limits and a timeout. It retries transient failures and follows redirects.
///
/// It is isolated to the main actor, as are the closures below that access its state. Nothing here needs a lock.
@MainActor
final class Fetcher {
    struct Limits: Equatable, Sendable {
        var perHost = 4
        var inFlight = 16
        /// The time limit for each wait for a server.
        var timeout = Duration.seconds(10)
        /// The time limit for a whole response.
        var totalTimeout = Duration.seconds(60)
        var retries = 3
        var firstDelay = Duration.milliseconds(500)
        var redirects = 10
        /// The maximum size of a page in bytes, also after it is decompressed.
        var maxBody = 10_000_000
    }

    private let limits: Limits
    private let client: HTTPClient
    /// The queue of requests, with a concurrency limit in all and one for each host. A slow host does not block the
    /// others.
    private let requests: KeyedFutureQueue<Origin?>
    private let log: (String) -> Void

    /// The number of retries.
    private(set) var retries = 0
    /// The number of redirects that were followed.
    private(set) var redirects = 0

    init(limits: Limits, gateway: Gateway = Gateway(), log: @escaping (String) -> Void = { _ in }) {
        self.limits = limits
        self.log = log
        client = HTTPClient(
            limits: HTTPClient.Limits(idle: limits.timeout, total: limits.totalTimeout), gateway: gateway)
        requests = KeyedFutureQueue(
            maxConcurrentCount: limits.inFlight, maxConcurrentCountPerKey: limits.perHost)
    }

    /// Returns a future of the response at an address, after all redirects. It fails with a `FetchFailure` if there is
    /// no successful response.
    func fetch(_ address: URL) -> Future<Response> {
        follow(Request(method: .get, address: address, maxBody: limits.maxBody), after: [])
    }

    /// Returns a future of the response without its body. Like `fetch`, it follows redirects and fails with a
    /// `FetchFailure`.
    ///
    /// It sends a HEAD request first. Many servers answer that with errors which a GET request does not have.
    func probe(_ address: URL) -> Future<Response> {
        follow(Request(method: .head, address: address, wantsDocument: false), after: []).flatMapError { error in
            guard (error as? FetchFailure)?.error.mayBeDueToHead == true else { throw error }
            return self.follow(Request(method: .get, address: address, wantsDocument: false), after: [])
        }
    }
}

extension Fetcher {
    /// Sends a request and follows its redirects: each is a flatMap to the next address. A redirect to an address in
    /// `earlier` is a loop.
    private func follow(_ request: Request, after earlier: [URL]) -> Future<Response> {
        answer(request).flatMap { response in
            guard response.isRedirect else { return Future(response) }
            let address = request.address
            let earlier = earlier + [address]
            guard let location = response.location else {
                throw FetchFailure(address: address, error: .redirectWithoutLocation(response.status))
            }
            guard case .web(let next, _) = LinkTarget(location, on: address) else {
                throw FetchFailure(address: address, error: .redirectToNowhere(location))
            }
            guard !earlier.contains(next) else { throw FetchFailure(address: address, error: .redirectLoop) }
            guard earlier.count <= self.limits.redirects else {
                throw FetchFailure(address: address, error: .tooManyRedirects(self.limits.redirects))
            }
            self.redirects += 1
            return self.follow(request.redirected(to: next), after: earlier)
        }
    }

    /// Sends one request without following redirects, and retries transient failures as often as the limits allow.
    ///
    /// A retry runs the whole upstream chain again. The request is therefore enqueued anew, and does not occupy the
    /// queue during the delay before it.
    private func answer(_ request: Request) -> Future<Response> {
        let name = "\(request.method.rawValue) \(request.address)"
        let policy = RetryPolicy(
            .exponential(from: limits.firstDelay, upTo: FetchError.longestDelay), maxRepetitions: limits.retries,
            when: { ($0 as? FetchError)?.isTransient == true }, minimumDelay: { ($0 as? FetchError)?.retryAfter })
        return enqueue(request)
            .retry(policy) { attempt in
                guard case .retry(let delay) = attempt.outcome else { return }
                self.retries += 1
                self.log("\(name): \(attempt.error); again in \(delay)")
            }
            .onResult { self.log("\(name): \(Self.summary($0))") }
            .mapError { error in
                guard let error = error as? FetchError else { throw error }
                throw FetchFailure(address: request.address, error: error)
            }
    }

    /// Enqueues one request. It starts when the concurrency limits of its host and of the program allow.
    private func enqueue(_ request: Request) -> Future<Response> {
        requests.enqueue(for: Origin(request.address)) {
            self.client.send(request).map { response in
                guard (200..<300).contains(response.status) || response.isRedirect else {
                    throw FetchError.status(response.status, retryAfter: response.retryAfter)
                }
                return response
            }
        }
    }

    private static func summary(_ result: Result<Response, any Error>) -> String {
        switch result {
        case .success(let response): HTTPStatus.text(response.status)
        case .failure(let error): "\(error)"
        }
    }
}
