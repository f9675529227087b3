// URLSession+Future: makes a future of a request. This is all that the library needs to know of the network.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request, at once. Whoever cancels the future cancels the request.
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
    /// A session that keeps nothing, follows no redirect and knows no password.
    static func forChecking(maxConnectionsPerHost: Int) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = maxConnectionsPerHost
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.httpAdditionalHeaders = ["User-Agent": "linkcheck"]
        return URLSession(configuration: configuration, delegate: Refusal(), delegateQueue: nil)
    }
}

/// Takes what a server says as its answer, instead of doing what it asks for.
private final class Refusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    #if canImport(FoundationNetworking)
        // On Linux an answer that asks for a password would never come without this.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(.rejectProtectionSpace, nil)
        }
    #endif
}
