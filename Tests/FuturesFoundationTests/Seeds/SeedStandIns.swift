// What the seeds' programs use and Linux does not have, a patient session, and a server that answers requests.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// As `shared`, but without a time limit of a minute: beside all other tests, a task may wait for its turn for
    /// longer.
    static let patient: URLSession = {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 3600
        return URLSession(configuration: configuration)
    }()
}

extension URL {
    func startAccessingSecurityScopedResource() -> Bool { path != "/locked" }
    func stopAccessingSecurityScopedResource() {}
}

/// Creates the file that the documents read, while `body` runs.
func withGrainFile(_ body: (URL) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("grain-\(UUID()).json")
    try Data(#"{"text": "abc", "number": 5, "arrayOfText": ["def", "ghi"]}"#.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url)
}

extension HostileServer {
    /// A server that replies with what was posted, or with the path. It refuses `/refused`.
    static func answering() throws -> HostileServer {
        try HostileServer { request, client in
            let parts = request.split(separator: "\r\n\r\n", maxSplits: 1)
            let path = request.split(separator: " ")[1]
            client.reply(path == "/refused" ? 403 : 200, parts.count > 1 ? String(parts[1]) : String(path))
        }
    }
}
