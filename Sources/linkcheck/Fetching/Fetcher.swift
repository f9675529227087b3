// Fetcher: sends HTTP requests with concurrency limits, timeouts and retries, and follows redirects.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends HTTP requests with concurrency limits and a timeout. It retries transient failures and follows redirects.
///
/// It is isolated to the main actor, as are the closures below that access its state. Nothing here needs a lock.
@MainActor
final class Fetcher {
    struct Limits: Equatable, Sendable {
        var perHost = 4
        var inFlight = 16
        var timeout = Duration.seconds(10)
        var retries = 3
        var firstDelay = Duration.milliseconds(500)
        var redirects = 10
    }

    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
    }

    private let limits: Limits
    private let session: URLSession
    /// The queue of requests, with a concurrency limit in all and one for each host. A slow host does not block the
    /// others.
    private let requests: KeyedFutureQueue<Origin?>
    private let log: (String) -> Void

    /// The number of retries.
    private(set) var retries = 0
    /// The number of redirects that were followed.
    private(set) var redirects = 0

    init(limits: Limits, log: @escaping (String) -> Void = { _ in }) {
        self.limits = limits
        self.log = log
        // The queue limits the requests of each host. The session allows more connections, so that one that is still
        // being closed does not delay the next request.
        session = .forChecking(maxConnectionsPerHost: limits.inFlight)
        requests = KeyedFutureQueue(
            maxConcurrentCount: limits.inFlight, maxConcurrentCountPerKey: limits.perHost)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Returns a future of the response at an address, after all redirects. It fails with a `FetchFailure` if there is
    /// no successful response.
    func fetch(_ address: URL, _ method: Method = .get) -> Future<Response> {
        follow(address, method, after: [])
    }

    /// Returns a future of the response to a HEAD request, or to a GET request if the server rejects HEAD. Like
    /// `fetch`, it follows redirects and fails with a `FetchFailure`.
    func probe(_ address: URL) -> Future<Response> {
        fetch(address, .head).flatMapError { error in
            switch (error as? FetchFailure)?.error {
            case .status(405, _)?, .status(501, _)?: self.fetch(address)
            default: throw error
            }
        }
    }
}

extension Fetcher {
    /// Requests an address and follows its redirects: each is a flatMap to the next address. A redirect to an address
    /// in `earlier` is a loop.
    private func follow(_ address: URL, _ method: Method, after earlier: [URL]) -> Future<Response> {
        answer(address, method).flatMap { response in
            guard let location = response.location, response.isRedirect else { return Future(response) }
            let earlier = earlier + [address]
            guard case .web(let next, _) = LinkTarget(location, on: address) else {
                throw FetchFailure(address: address, error: .redirectToNowhere(location))
            }
            guard !earlier.contains(next) else { throw FetchFailure(address: address, error: .redirectLoop) }
            guard earlier.count <= self.limits.redirects else {
                throw FetchFailure(address: address, error: .tooManyRedirects(self.limits.redirects))
            }
            self.redirects += 1
            return self.follow(next, method, after: earlier)
        }
    }

    /// Requests one address without following redirects, and retries transient failures as often as the limits allow.
    ///
    /// A retry runs the whole upstream chain again. The request is therefore enqueued anew, and does not occupy the
    /// queue during the delay before it.
    private func answer(_ address: URL, _ method: Method) -> Future<Response> {
        var request = URLRequest(url: address)
        request.httpMethod = method.rawValue
        // At least a second: on Linux a smaller value means no timeout. `enqueue` adds the exact time limit.
        request.timeoutInterval = Double(limits.timeout.components.seconds) + 1

        let policy = RetryPolicy(
            .exponential(from: limits.firstDelay, upTo: FetchError.longestDelay), maxRepetitions: limits.retries,
            when: { ($0 as? FetchError)?.isTransient == true }, minimumDelay: { ($0 as? FetchError)?.retryAfter })
        return enqueue(request, to: address)
            .retry(policy) { attempt in
                guard case .retry(let delay) = attempt.outcome else { return }
                self.retries += 1
                self.log("\(method.rawValue) \(address): \(attempt.error); again in \(delay)")
            }
            .onResult { self.log("\(method.rawValue) \(address): \(Self.summary($0))") }
            .mapError { error in
                guard let error = error as? FetchError else { throw error }
                throw FetchFailure(address: address, error: error)
            }
    }

    /// Enqueues one request. It starts when the concurrency limits of its host and of the program allow.
    private func enqueue(_ request: URLRequest, to address: URL) -> Future<Response> {
        let (session, limits) = (session, limits)
        return requests.enqueue(for: Origin(address)) {
            session.send(request)
                .fail(with: FetchError.timedOut(limits.timeout), after: limits.timeout)
                .map { response in
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
