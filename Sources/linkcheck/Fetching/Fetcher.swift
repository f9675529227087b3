// Fetcher: asks for an address politely, until there is an answer that counts.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests: so many at a time, each with a deadline, again if it failed by chance, and on to where it was
/// redirected.
///
/// It lives on the main actor, and so do the closures below that touch its state; nothing here needs a lock.
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
    /// So many requests at a time, and so many of each host: a slow one does not block the others.
    private let requests: KeyedFutureQueue<Origin?>
    private let log: (String) -> Void

    /// How often a request was sent again.
    private(set) var retries = 0
    /// How many redirects were followed.
    private(set) var redirects = 0

    init(limits: Limits, log: @escaping (String) -> Void = { _ in }) {
        self.limits = limits
        self.log = log
        // The queue does the counting. A connection that is still being closed must not hold up the next request.
        session = .forChecking(maxConnectionsPerHost: limits.inFlight)
        requests = KeyedFutureQueue(
            maxConcurrentCount: limits.inFlight, maxConcurrentCountPerKey: limits.perHost)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The answer at an address and behind its redirects. It fails with a `FetchFailure` if that is not a good one.
    func fetch(_ address: URL, _ method: Method = .get) -> Future<Response> {
        follow(address, method, after: [])
    }

    /// The same without the body: by HEAD, or by GET where HEAD is refused.
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
    /// A redirect is a flatMap to the next address. `earlier` tells when it goes in a circle.
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

    /// One address's answer, after as many tries as it takes and the limits allow.
    ///
    /// A repetition runs the whole chain behind it again: so a retry lines up anew, and takes no place in the queue
    /// while it waits for its time.
    private func answer(_ address: URL, _ method: Method) -> Future<Response> {
        var request = URLRequest(url: address)
        request.httpMethod = method.rawValue
        // Whole seconds: on Linux anything below one means none. The deadline is the exact bound.
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

    /// One request, when its host and the whole program have room for it.
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
