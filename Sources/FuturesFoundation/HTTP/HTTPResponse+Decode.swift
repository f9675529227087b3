// decode: the value of a JSON reply.

import Foundation
import Futures

extension Future<HTTPResponse> {
    /// Returns a future of the value that is decoded from the body, which is JSON by default.
    ///
    /// A body that cannot be decoded fails it with `HTTPError.undecodable`, which keeps the reply.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder. It must not be changed any more.
    ///   - scheduler: Where the body is decoded.
    public func decode<T: Decodable & Sendable>(
        _ type: T.Type, decoder: JSONDecoder = JSONDecoder(), on scheduler: Scheduler = .background
    ) -> Future<T> {
        map(on: scheduler) { response in
            do {
                return try decoder.decode(type, from: response.body)
            } catch {
                throw HTTPError.undecodable(response, error)
            }
        }
    }
}
