// GatewayCommand: answers the requests on the standard input with URLSession, one after the other.

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A process that sends requests on behalf of the checker. If a response makes URLSession crash, only this process
/// ends.
final class GatewayCommand: Sendable {
    private let session: URLSession
    private let delegate = Delegate()

    /// Answers requests until the standard input ends, and returns the exit status.
    static func run(idleTimeout: Int) -> Int32 {
        // More memory than a response may take is a crash of this process only.
        var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
        setrlimit(dataLimit, &limit)
        _ = fcntl(0, F_SETFL, fcntl(0, F_GETFL) & ~O_NONBLOCK)
        let gateway = GatewayCommand(idleTimeout: idleTimeout)
        var input = Bytes()
        var buffer = Bytes(repeating: 0, count: 16 * 1024)
        while true {
            let count = read(0, &buffer, buffer.count)
            // The checker closes the socket when a time limit has passed, or when it exits.
            guard count > 0 else { return 0 }
            input += buffer.prefix(count)
            switch HTTPRequest.read(input) {
            case .incomplete: continue
            case .refused: return 1
            case .request(let request, let length):
                input.removeFirst(length)
                gateway.answer(request)
            }
        }
    }

    private init(idleTimeout: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        // On Linux, a value below one second would be no limit.
        configuration.timeoutIntervalForRequest = Double(max(1, idleTimeout))
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    private func answer(_ request: HTTPRequest) {
        guard let url = URL(string: request.target) else { return Self.send(failure: "the address is not valid") }
        var forwarded = URLRequest(url: url)
        forwarded.httpMethod = request.method
        for (name, value) in request.fields where !["host", "connection", "accept-encoding"].contains(name) {
            if name == GatewayField.maxBody { delegate.maxBody.store(Int(value) ?? 0, ordering: .relaxed) }
            if !name.hasPrefix(GatewayField.prefix) { forwarded.setValue(value, forHTTPHeaderField: name) }
        }
        session.dataTask(with: forwarded).resume()
    }
}

/// The fields between the checker and a gateway.
enum GatewayField {
    static let prefix = "linkcheck-"
    /// In a request: the maximum size of the body. Zero is for a response without a body.
    static let maxBody = "linkcheck-max-body"
    /// In a response: the reason for which there is none.
    static let failure = "linkcheck-failure"
    /// In a response: the body is larger than it may be.
    static let isTooLarge = "linkcheck-too-large"
}

extension GatewayCommand {
    private static func send(_ response: HTTPResponse) {
        var rest = response.serialized(withBody: true, keepsAlive: true)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(0, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }

    private static func send(failure: String, isTransient: Bool = false) {
        var response = HTTPResponse(status: isTransient ? 503 : 502, html: "")
        response.fields = [(GatewayField.failure, failure)]
        send(response)
    }

    /// Sends the response as soon as it is complete, or is known not to be wanted.
    private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
        let maxBody = Atomic(0)
        private let body = Mutex(Bytes())

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        #if canImport(FoundationNetworking)
            // Without this, a response that requires authentication would never arrive on Linux.
            func urlSession(
                _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                completionHandler(.rejectProtectionSpace, nil)
            }
        #endif

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let limit = maxBody.load(ordering: .relaxed)
            let isTooLarge = body.withLock { body in
                if body.count <= limit { body += data.prefix(limit + 1 - body.count) }
                return body.count > limit
            }
            if isTooLarge { dataTask.cancel() }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let limit = maxBody.load(ordering: .relaxed)
            var body = body.withLock { body in
                defer { body = [] }
                return body
            }
            guard let head = task.response as? HTTPURLResponse, error == nil || body.count > limit else {
                let code = (error as? URLError)?.code
                let failure = FetchError(error ?? URLError(.badServerResponse))
                // On Linux, this error follows a rejected authentication challenge. Nothing else cancels a task here.
                if code == .cancelled { return GatewayCommand.send(HTTPResponse(status: 401)) }
                return GatewayCommand.send(failure: "\(failure)", isTransient: failure.isTransient)
            }
            var response = HTTPResponse(status: head.statusCode, html: "")
            response.fields = ["Content-Type", "Location", "Retry-After"].compactMap { name in
                head.value(forHTTPHeaderField: name).map { (name, $0) }
            }
            if body.count > limit {
                if limit > 0 { response.fields.append((GatewayField.isTooLarge, "1")) }
                body = []
            }
            response.body = body
            GatewayCommand.send(response)
        }
    }
}

#if canImport(Glibc)
    private let dataLimit = Int32(RLIMIT_DATA.rawValue)
#else
    private let dataLimit = RLIMIT_DATA
#endif
