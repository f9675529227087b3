// BodySink: where the body of a reply goes: into memory, or into a file.

import Foundation

/// Receives the body of a reply, in parts. It is used by one thread at a time.
protocol BodySink: Sendable {
    /// Adds a part of the body. Throws if the body is too large, or cannot be stored.
    func write(_ part: Data) throws
    /// Returns the body as far as it is in memory. Called once, when the body is complete.
    func finish() throws -> Data
    /// Removes what was stored. Called if the request fails or is cancelled.
    func discard()
}

/// Keeps a body in memory, up to a limit.
// Safe to share: it is used on the serial queue of a session's delegate only.
final class MemorySink: BodySink, @unchecked Sendable {
    private let maxSize: Int
    private var body = Data()

    init(maxSize: Int) { self.maxSize = maxSize }

    func write(_ part: Data) throws {
        guard part.count <= maxSize - body.count else { throw HTTPError.bodyTooLarge(maxBodySize: maxSize) }
        body.append(part)
    }

    /// Adds a part, as far as the limit allows. Returns whether all of it was added.
    func writeAllowed(_ part: Data) -> Bool {
        body.append(part.prefix(maxSize - body.count))
        return body.count < maxSize
    }

    func finish() -> Data { body }

    func discard() { body = Data() }
}

/// Writes a body to a temporary file, which replaces the file in the end.
// Safe to share: it is used on the serial queue of a session's delegate only.
final class FileSink: BodySink, @unchecked Sendable {
    private let file: URL
    private let maxSize: Int
    private var size = 0
    private var replacement: FileReplacement?

    init(_ file: URL, maxSize: Int) {
        self.file = file
        self.maxSize = maxSize
    }

    func write(_ part: Data) throws {
        guard part.count <= maxSize - size else { throw HTTPError.bodyTooLarge(maxBodySize: maxSize) }
        try opened().write(part)
        size += part.count
    }

    func finish() throws -> Data {
        try opened().commit()
        return Data()
    }

    func discard() { replacement = nil }

    private func opened() throws -> FileReplacement {
        if let replacement { return replacement }
        let opened = try FileReplacement(of: file)
        replacement = opened
        return opened
    }
}
