// HTTPSessionDelegate: tells each exchange what happens to its task.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a client's session, which has an exchange for each task until that ends.
final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Locked<[Int: HTTPExchange]>([:])

    func add(_ exchange: HTTPExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> HTTPExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        // Never `.cancel`: a future that has failed cancels its task anyway.
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.noteSent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        var mayFollow = false
        session.waiting { mayFollow = exchange.task.end(isFollowed: error == nil && exchange.isFollowed) }
        if mayFollow { exchange.follow() } else { exchange.end(error) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(of: task) else { return }
        let next = exchange.redirected(to: request, from: response.url)
        session.waiting { exchange.task.answer(next, by: completionHandler) }
    }

    #if canImport(FoundationNetworking)
        // Without this, the reply with status 401 would never arrive on Linux. With any other answer, or with no
        // credential, FoundationNetworking crashes. It answers by cancelling the task.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let exchange = exchange(of: task) else { return }
            exchange.noteRejectedChallenge()
            session.waiting { exchange.task.cancel(by: { completionHandler(.rejectProtectionSpace, nil) }) }
        }
    #endif
}

extension URLSession {
    /// Calls `body` in a call of the delegate. It may wait for this session's own thread.
    fileprivate func waiting(_ body: () -> Void) {
        #if canImport(FoundationNetworking)
            if let queue = delegateQueue as? DelegateQueue { return queue.withoutLimit(body) }
        #endif
        body()
    }
}
