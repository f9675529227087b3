// Stand-ins for parts of other systems that Grain's documents use: networking, so that no test needs it, and
// security-scoped files, which Linux does not have. Their shapes are those of Foundation.

import Foundation
import Futures

protocol URLResponse: Sendable {}

struct HTTPURLResponse: URLResponse {
    var statusCode = 200
}

struct URLRequest {
    let url: URL
    var httpBody: Data?
    init(url: URL) { self.url = url }
}

/// Answers later, with the path or with the posted data.
final class URLSession: Sendable {
    typealias Handler = @Sendable (Data?, (any URLResponse)?, (any Error)?) -> Void

    static let shared = URLSession()

    struct Task { let resume: () -> Void }

    func dataTask(with url: URL, completionHandler: @escaping Handler) -> Task {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    func dataTask(with request: URLRequest, completionHandler: @escaping Handler) -> Task {
        let (path, body) = (request.url.path, request.httpBody)
        return Task {
            Scheduler.background.async {
                guard path != "/missing" else { return completionHandler(nil, nil, Oops(404)) }
                let status = path == "/refused" ? 403 : 200
                completionHandler(body ?? Data(path.utf8), HTTPURLResponse(statusCode: status), nil)
            }
        }
    }
}

extension URL {
    func startAccessingSecurityScopedResource() -> Bool { path != "/locked" }
    func stopAccessingSecurityScopedResource() {}
}

/// Creates the file that the documents read, while `body` runs.
func withGrainFile(_ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("grain-\(UUID()).json")
    try Data(#"{"text": "abc", "number": 5, "arrayOfText": ["def", "ghi"]}"#.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url)
}
