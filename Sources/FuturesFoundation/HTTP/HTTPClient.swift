// HTTPClient: HTTP requests of a URLSession as futures.

import Dispatch
import Futures

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// Sends HTTP requests with a `URLSession`, and returns futures of the replies.
///
///     let client = HTTPClient()
///     client.data(from: address)
///         .retry(.http())
///         .decode(User.self)
///         .onValue { user in show(user) }
///
/// A request is sent when its future is created, or once fewer than `maxConnectionsPerHost` requests of its host are in
/// progress. Its time limits start then. Each repetition of the future sends it again. Cancelling the future cancels the
/// request. A client has a session of its own, because limits need the session's delegate: on Linux, a task
/// has none. Create one client and use it for all requests, so that connections are reused. A client that is released
/// completes its requests first.
///
/// `URLSession` has limits on Linux that no code around it can remove: see `Documentation/Guides/Foundation.md`.
public final class HTTPClient: Sendable {
    /// The options of requests that have none of their own.
    package let options: HTTPOptions

    private let session: URLSession
    private let delegate = HTTPSessionDelegate()
    /// Where requests wait for a connection. The session must have one for each, as it does not tell when it has.
    private let hosts: KeyedFutureQueue<String>
    /// Where tasks are made. On Linux, that waits for the session's own thread, which may be receiving: for seconds, if
    /// a server is as fast as this machine.
    let starting = DispatchQueue(label: "futures.http")
    /// Where the tasks of all clients are cancelled, one at a time: on Linux, a cancel waits for the sessions' thread.
    private static let cancelling = DispatchQueue(label: "futures.http")

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session, for cookies, caches and proxies. By default, nothing is
    ///     stored. On Linux, its cache is not used. Its number of connections is not used.
    ///   - maxConnectionsPerHost: The maximum number of requests to one host and port that are in progress. Others wait,
    ///     and their time limits start when they are sent.
    ///   - options: The options of requests that have none of their own.
    /// - Precondition: `maxConnectionsPerHost` is at least 1.
    public init(
        configuration: URLSessionConfiguration = .ephemeral, maxConnectionsPerHost: Int = 64,
        options: HTTPOptions = HTTPOptions()
    ) {
        self.options = options
        hosts = KeyedFutureQueue(label: "HTTPClient", maxConcurrentCountPerKey: maxConnectionsPerHost)
        let configuration = configuration.copy() as! URLSessionConfiguration
        // More than are ever needed: redirects lead to other hosts, and tasks that are being cancelled have connections.
        configuration.httpMaximumConnectionsPerHost = 1_000_000
        #if canImport(FoundationNetworking)
            let queue = DelegateQueue()
            // With a cache, FoundationNetworking (Swift 6.3) starts and cancels a task on different threads, and
            // crashes if the task ends in between: see `CancellableTask`.
            configuration.urlCache = nil
        #else
            let queue: OperationQueue? = nil
        #endif
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }
}

extension HTTPClient {
    /// Returns a future of one run of the request, whose body `makeSink` receives.
    func send(
        _ request: URLRequest, body: UploadBody? = nil, progress: ProgressCounter?, options: HTTPOptions?,
        _ file: StaticString = #fileID, _ line: UInt = #line, to makeSink: @escaping @Sendable () -> any BodySink
    ) -> Future<HTTPResponse> {
        let options = options ?? self.options
        var request = request
        // The exchange has timers of its own. Eleven days, which is never reached: the session's limit is in real time,
        // and would come first on a busy machine.
        request.timeoutInterval = 1_000_000
        return Future<HTTPResponse>(on: .immediate, file: file, line: line) { [self, request] completion in
            guard let url = request.url, ["http", "https"].contains(url.scheme?.lowercased()) else {
                throw HTTPError.notHTTP(request.url)
            }
            let share = ProgressShare(progress, countsUpload: body != nil)
            let exchange = HTTPExchange(
                options, method: request.httpMethod, sink: makeSink(), share, redirection(of: request, body),
                completion)
            let turn = hosts[url.origin].on(.immediate).enqueue(file: file, line: line) {
                Future<Void>(on: .immediate, file: file, line: line) { completion in
                    exchange.startTimers()
                    self.start(request, body, for: exchange)
                    // It is not called: the turn is cancelled when the exchange has ended.
                    return Disposer { withExtendedLifetime(completion) {} }
                }
            }
            .named(Self.name(of: request))
            return Disposer {
                turn.cancel()
                exchange.stop()
                // Not here: this may be the delegate's queue, for which the session's own thread may be waiting.
                Self.cancelling.async { exchange.task.cancel() }
            }
        }
        .named(Self.name(of: request))
    }

    /// What diagnosing calls a request.
    static func name(of request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "no address")"
    }

    private func start(_ request: URLRequest, _ body: UploadBody?, for exchange: HTTPExchange) {
        starting.async { [self] in
            // A request that has ended meanwhile sends nothing. Its cancel may come later.
            guard !exchange.hasEnded else { return exchange.discard() }
            let hasStarted = exchange.task.start {
                let task =
                    switch body {
                    case nil: session.dataTask(with: request)
                    case .data(let data)?: session.uploadTask(with: request, from: data)
                    case .file(let file)?: session.uploadTask(with: request, fromFile: file)
                    }
                delegate.add(exchange, for: task)
                return task
            }
            if !hasStarted { exchange.discard() }
        }
    }

    /// On Linux, a session that follows a redirect sends no body: so a redirect that keeps the method is followed by a
    /// task of its own. It retains the client, as no task can be made in a session that is invalid.
    private func redirection(of request: URLRequest, _ body: UploadBody?) -> Redirection? {
        #if canImport(FoundationNetworking)
            let isStream = body == nil && request.httpBodyStream != nil
            guard let method = request.httpMethod, body != nil || request.httpBody != nil || isStream else {
                return nil
            }
            return Redirection(method: method, isStream: isStream) { next, exchange in
                var next = next
                next.timeoutInterval = request.timeoutInterval
                self.start(next, body, for: exchange)
            }
        #else
            return nil
        #endif
    }
}

/// The body of a request.
enum UploadBody: Sendable {
    case data(Data)
    case file(URL)
}
