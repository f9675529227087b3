// Fetcher: sends HTTP requests with concurrency limits, time limits and retries, and follows redirects.

import Foundation
import Futures

/// Sends HTTP requests. It limits their concurrency and rate, retries transient failures and follows redirects.
///
/// It is isolated to the main actor, as are the closures below that access its state. Nothing here needs a lock.
@MainActor
final class Fetcher {
    private let limits: Limits
    private let identity: Identity
    private let client: HTTPClient
    /// The queue of requests, with a concurrency limit in all, and one and a rate for each host. A slow host does not
    /// block the others.
    private let requests: KeyedFutureQueue<Origin?>
    /// The number of pauses of each host since its last good response, and of those that have not ended.
    private var pauses: [Origin?: Int] = [:]
    private var openPauses: [Origin?: Int] = [:]
    private let log: (String) -> Void

    /// The number of retries.
    private(set) var retries = 0
    /// The number of redirects that were followed.
    private(set) var redirects = 0

    init(
        limits: Limits, identity: Identity = Identity(), gateway: Gateway = Gateway(),
        log: @escaping (String) -> Void = { _ in }
    ) {
        self.limits = limits
        self.identity = identity
        self.log = log
        client = HTTPClient(limits: limits, gateway: gateway)
        requests = KeyedFutureQueue(
            maxConcurrentCount: limits.inFlight, maxConcurrentCountPerKey: limits.perHost,
            ratePerKey: limits.rate.map { RateLimit($0, per: .seconds(1)) })
    }

    /// Returns a future of the response at an address, after all redirects. It fails with a `FetchFailure` if there is
    /// no successful response.
    func fetch(_ address: URL, body: Request.Body = .document) -> Future<Response> {
        follow(Request(method: .get, address: address, body: body, maxBody: limits.maxBody), after: [])
    }

    /// Returns a future of the response without its body. Like `fetch`, it follows redirects and fails with a
    /// `FetchFailure`.
    ///
    /// It sends a HEAD request first. Many servers answer that with errors which a GET request does not have.
    func probe(_ address: URL) -> Future<Response> {
        follow(Request(method: .head, address: address, body: .none), after: []).flatMapError { error in
            guard (error as? FetchFailure)?.error.mayBeDueToHead == true else { throw error }
            return self.fetch(address, body: .none)
        }
    }
}

extension Fetcher {
    /// Sends a request and follows its redirects: each is a flatMap to the next address. A redirect to an address in
    /// `earlier` is a loop.
    private func follow(_ request: Request, after earlier: [URL]) -> Future<Response> {
        answer(request).flatMap { response in
            guard response.isRedirect, !self.limits.accepts(response.status) else { return Future(response) }
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
        let isHead = request.method == .head
        let policy = RetryPolicy(
            .exponential(from: limits.firstDelay, upTo: limits.maxPause), maxRepetitions: limits.retries,
            when: { error in
                guard let error = error as? FetchError else { return false }
                return error.isTransient && !(isHead && error.mayBeDueToHead)
            },
            minimumDelay: { ($0 as? FetchError)?.retryAfter })
        return enqueue(request)
            .retry(policy) { attempt in
                guard let delay = attempt.nextDelay else { return }
                self.retries += 1
                self.log("\(name): \(attempt.error); again in \(delay)")
            }
            .onResult { self.log("\(name): \(Self.summary($0))") }
            .mapError { error in
                guard let error = error as? FetchError else { return error }
                return FetchFailure(address: request.address, error: error)
            }
    }

    /// Enqueues one request. It starts when the limits of its host and of the program allow, and its host has not asked
    /// for a pause.
    private func enqueue(_ request: Request) -> Future<Response> {
        let origin = Origin(request.address)
        return requests[origin].enqueue {
            self.client.send(self.identity.signed(request)).map { try self.accepted($0, from: origin) }
        }
    }

    private func accepted(_ response: Response, from origin: Origin?) throws -> Response {
        if limits.accepts(response.status) || response.isRedirect {
            pauses[origin] = nil
            return response
        }
        if let delay = response.retryAfter, !pause(origin, for: delay) {
            throw FetchError.refused(response.status, pause: delay)
        }
        throw FetchError.status(response.status, retryAfter: response.retryAfter)
    }

    /// Delays all requests to a host, not only the one to which the host has responded with `Retry-After`. Returns false
    /// if the limits do not allow that: if the delay is too long, or if more pauses than a request has retries have not
    /// led to a good response.
    private func pause(_ origin: Origin?, for delay: Duration) -> Bool {
        guard delay <= limits.maxPause else { return false }
        if !requests[origin].isPaused {
            guard pauses[origin, default: 0] <= limits.retries else { return false }
            pauses[origin, default: 0] += 1
        }
        requests[origin].isPaused = true
        openPauses[origin, default: 0] += 1
        Future().delay(by: delay).onValue {
            self.openPauses[origin]! -= 1
            if self.openPauses[origin] == 0 { self.requests[origin].isPaused = false }
        }
        return true
    }

    private static func summary(_ result: Result<Response, any Error>) -> String {
        switch result {
        case .success(let response): HTTPStatus.text(response.status)
        case .failure(let error): "\(error)"
        }
    }
}
