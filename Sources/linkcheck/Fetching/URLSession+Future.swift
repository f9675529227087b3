// URLSession+Future: turns an HTTP request into a future. There is no other adapter between URLSession and Futures.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request immediately and returns a future of the response. Cancelling the future cancels the request.
    func send(_ request: URLRequest) -> Future<Response> {
        Future { completion in
            let task = self.dataTask(with: request) { data, response, error in
                if let error {
                    completion(.failure(FetchError(error)))
                } else if let response = response as? HTTPURLResponse {
                    completion(.success(Response(response, body: data ?? Data())))
                } else {
                    completion(.failure(FetchError.unreachable("the answer is not HTTP", isTransient: false)))
                }
            }
            task.resume()
            return Disposer { task.cancel() }
        }
    }
}

extension URLSession {
    /// Creates a session that stores no responses or cookies, follows no redirects and has no credentials.
    static func forChecking(maxConnectionsPerHost: Int) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = maxConnectionsPerHost
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.httpAdditionalHeaders = ["User-Agent": "linkcheck"]
        return URLSession(configuration: configuration, delegate: Refusal(), delegateQueue: nil)
    }
}

/// Treats redirects and authentication challenges as responses, instead of acting on them.
private final class Refusal: NSObject, URLSessionTaskDelegate {
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
}
