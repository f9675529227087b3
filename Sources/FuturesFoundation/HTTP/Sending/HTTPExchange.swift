// HTTPExchange: one run of a request, from its start to its result.

import Dispatch
import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One run of a request: receives what the session's delegate is told, and completes the future.
///
/// The first result counts. Completing the future disposes its operation, which stops the timers and cancels the task;
/// what the session says after that changes nothing.
// Safe to share: the variables are accessed on the serial queue of the session's delegate only, except for the locked
// ones.
final class HTTPExchange: @unchecked Sendable {
    private let options: HTTPOptions
    private let completion: Future<HTTPResponse>.Completion
    private let sink: any BodySink
    private let progress: ProgressShare
    private let timers: Locked<Timers>

    private let scheduler: Scheduler
    private let method: String?
    private var head: HTTPURLResponse?
    /// The body of a reply that is an error.
    private var errorBody: MemorySink?
    private var isRejectingChallenge = false
    /// What sends the request's body again if the request is redirected with it.
    private let redirection: Redirection?
    /// The request that follows when the task has ended.
    private var following: URLRequest?
    private var redirectCount = 0

    /// Cancels the exchange's task.
    let task = CancellableTask()

    init(
        _ options: HTTPOptions, method: String?, sink: any BodySink, _ progress: ProgressShare,
        _ redirection: Redirection?, _ completion: @escaping Future<HTTPResponse>.Completion
    ) {
        self.redirection = redirection
        var options = options
        options.maxBodySize = max(options.maxBodySize, 0)
        self.options = options
        self.method = method
        scheduler = options.scheduler.forLimits
        self.sink = sink
        self.completion = completion
        self.progress = progress
        timers = Locked(Timers(lastSign: scheduler.now))
    }
}

extension HTTPExchange {
    /// Receives a head. Interim ones, such as 103, come before that of the reply.
    func receive(_ response: URLResponse) {
        guard noteSign(), !isFollowed else { return }
        guard let head = response as? HTTPURLResponse else {
            return complete(.failure(HTTPError.notHTTP(response.url)))
        }
        if (100..<200).contains(head.statusCode), head.statusCode != 101 { return }
        self.head = head
        errorBody = nil
        guard options.acceptsStatus(head.statusCode) else {
            return errorBody = MemorySink(maxSize: options.maxErrorBodySize)
        }
        // The length of what another request would get.
        let hasBody = method?.uppercased() != "HEAD" && ![204, 304].contains(head.statusCode)
        let size = hasBody ? head.expectedContentLength : 0
        if size > options.maxBodySize {
            return complete(.failure(HTTPError.bodyTooLarge(maxBodySize: options.maxBodySize)))
        }
        // That of a compressed body is not the number of bytes that will be counted.
        if size > 0, head.value(forHTTPHeaderField: "Content-Encoding") == nil { progress.expectReceived(size) }
    }

    /// Receives a part of the body.
    func receive(_ part: Data) {
        guard noteSign(), !isFollowed else { return }
        if let errorBody {
            if (try? errorBody.writeAllowed(part)) == false, let head { fail(with: errorBody, of: head) }
            return
        }
        do {
            try sink.write(part)
            progress.addReceived(Int64(part.count))
        } catch {
            complete(.failure(error))
        }
    }

    /// Notes how much of the request's body was sent.
    func noteSent(_ size: Int64, of total: Int64) {
        guard noteSign() else { return }
        progress.setSent(size, of: total)
    }

    /// Whether there is a result, or the request was cancelled.
    var hasEnded: Bool { timers.withLock(\.isStopped) }

    /// Returns the request with which the session follows a redirect of `address`, or nil if another task does, or none.
    func redirected(to request: URLRequest, from address: URL?) -> URLRequest? {
        // The task of an exchange that has ended may not be cancelled yet.
        guard noteSign(), options.followsRedirects else { return nil }
        var request = request
        if !request.hasOrigin(of: address) { request.removeCredentials() }
        guard let redirection, request.httpMethod == redirection.method else { return request }
        redirectCount += 1
        if redirectCount > Self.maxRedirectCount {
            complete(.failure(URLError(.httpTooManyRedirects)))
        } else if redirection.isStream {
            complete(.failure(URLError(.requestBodyStreamExhausted)))
        } else {
            following = request
        }
        return nil
    }

    /// Whether another task follows the one in progress, whose reply is a redirect.
    var isFollowed: Bool { following != nil }

    /// Starts the task that follows.
    func follow() {
        guard let request = following.take() else { return }
        redirection?.send(request, self)
    }

    private static var maxRedirectCount: Int { 20 }

    /// Removes what was stored, and takes back what was counted. No task comes any more.
    func discard() {
        sink.discard()
        progress.takeBack()
    }

    func noteRejectedChallenge() { isRejectingChallenge = true }

    /// Receives the end of the task, which is the last call.
    func end(_ error: (any Error)?) {
        if let head, let errorBody {
            // Also if the connection was lost: the status says more.
            fail(with: errorBody, of: head)
        } else if let error, !(isRejectingChallenge && head != nil) {
            complete(.failure(named(error)))
        } else if let head {
            finish(head)
        } else {
            complete(.failure(URLError(.badServerResponse)))
        }
        discard()
    }

    /// Completes the future with the body. A file is replaced only if neither a time limit nor a cancel has come
    /// before, and once it is, no time limit comes.
    private func finish(_ head: HTTPURLResponse) {
        guard stopTimers() else { return }
        let result = Result { HTTPResponse(head, body: try sink.finish()) }
        if case .success = result { progress.keep() }
        deliver(result)
    }

    /// Returns the error, with the code that it has on other platforms: on Linux, a reply that breaks off has none.
    private func named(_ error: any Error) -> any Error {
        // That of a head that is none: another attempt would get the same.
        let isMalformed = head == nil && error.localizedDescription.contains("writing header")
        guard !isMalformed, let error = error as? URLError, error.code == .unknown else { return error }
        return URLError(.networkConnectionLost, userInfo: error.userInfo)
    }

    /// Completes the future, the first time.
    private func complete(_ result: Result<HTTPResponse, any Error>) {
        if stop() { deliver(result) }
    }

    /// Completes the future. Not on the delegate's queue: a callback that runs in place may block. (Sixteen of them delay
    /// other requests.)
    private func deliver(_ result: Result<HTTPResponse, any Error>) {
        Scheduler.unblocked.async { [completion] in completion(result) }
    }

    private func fail(with body: MemorySink, of head: HTTPURLResponse) {
        // It is finished already if there was more of it than the limit.
        guard let body = try? body.finish() else { return }
        complete(.failure(HTTPError.status(HTTPResponse(head, body: body))))
    }
}

/// How a request with a body follows a redirect that keeps the method.
struct Redirection: Sendable {
    let method: String
    /// Whether the body is a stream, which can be read only once.
    let isStream: Bool
    let send: @Sendable (URLRequest, HTTPExchange) -> Void
}

extension HTTPExchange {
    private struct Timers {
        var lastSign: ContinuousClock.Instant
        var isStopped = false
        var idle: (any Disposable)?
        var total: (any Disposable)?
    }

    /// Starts the time limits.
    func startTimers() {
        if let limit = options.idleTimeout { waitForSign(limit, limit) }
        guard let limit = options.timeout else { return }
        let timer = scheduler.async(after: limit) { [weak self] in
            self?.complete(.failure(HTTPError.timedOut(after: limit)))
        }
        keep(timer, as: \.total)
    }

    /// Stops the time limits, and removes what was stored. The exchange has ended.
    /// Returns false if it had ended before.
    @discardableResult
    func stop() -> Bool {
        defer { sink.discard() }
        return stopTimers()
    }

    /// Stops the time limits. Returns false if they were stopped before.
    private func stopTimers() -> Bool {
        let old = timers.withLock { timers in
            defer { timers = Timers(lastSign: timers.lastSign, isStopped: true) }
            return timers
        }
        old.idle?.dispose()
        old.total?.dispose()
        return !old.isStopped
    }

    /// Starts the idle time again. Returns false if the exchange has ended.
    private func noteSign() -> Bool {
        let now = scheduler.now
        return timers.withLock { timers in
            timers.lastSign = now
            return !timers.isStopped
        }
    }

    /// Fails the request if the server has been silent for `limit` when `delay` has passed. One timer serves for many
    /// parts of a body: it waits for the rest of the time if there was a sign in the meantime.
    private func waitForSign(_ limit: Duration, _ delay: Duration) {
        let timer = scheduler.async(after: delay) { [weak self] in
            guard let self else { return }
            let silence = timers.withLock { $0.lastSign }.duration(to: scheduler.now)
            if silence < limit { return waitForSign(limit, limit - silence) }
            complete(.failure(HTTPError.idleTimedOut(after: limit)))
        }
        keep(timer, as: \.idle)
    }

    private func keep(_ timer: any Disposable, as timerPath: WritableKeyPath<Timers, (any Disposable)?>) {
        let isStopped = timers.withLock { timers in
            if !timers.isStopped { timers[keyPath: timerPath] = timer }
            return timers.isStopped
        }
        if isStopped { timer.dispose() }
    }
}
