// BodySink: where the body of a reply goes: into memory, or into a file.

import Foundation
import Futures

/// Receives the body of a reply, in parts. It is used by the session's delegate, and discarded by any thread.
protocol BodySink: Sendable {
    /// Adds a part of the body. Throws if the body is too large, or cannot be stored.
    func write(_ part: Data) throws
    /// Returns the body, or no data if it is in a file. Called once, when the body is complete.
    func finish() throws -> Data
    /// Removes what was stored, unless it is finished. Later calls of the other methods throw a `CancellationError`.
    func discard()
}

/// Keeps a body in memory, up to a limit.
final class MemorySink: BodySink {
    private let maxSize: Int
    /// Nil when it is discarded.
    private let body = Locked<Data?>(Data())

    init(maxSize: Int) { self.maxSize = max(maxSize, 0) }

    func write(_ part: Data) throws {
        guard try writeAllowed(part) else { throw HTTPError.bodyTooLarge(maxBodySize: maxSize) }
    }

    /// Adds a part, up to the limit. Returns whether all of it was added.
    func writeAllowed(_ part: Data) throws -> Bool {
        try body.withLock { body in
            guard let size = body?.count else { throw CancellationError() }
            body?.append(part.prefix(maxSize - size))
            return part.count <= maxSize - size
        }
    }

    func finish() throws -> Data {
        guard let body = body.withLock({ $0.take() }) else { throw CancellationError() }
        return body
    }

    func discard() { _ = body.withLock { $0.take() } }
}

/// Writes a body to a temporary file, which replaces the file in the end.
final class FileSink: BodySink {
    private struct State {
        var isOver = false
        var size = 0
        var replacement: FileReplacement?
    }

    private let file: URL
    private let maxSize: Int
    // The file is written under the lock: when `discard` returns, the temporary file is removed.
    private let state = Locked(State())

    init(_ file: URL, maxSize: Int) {
        self.file = file
        self.maxSize = max(maxSize, 0)
    }

    func write(_ part: Data) throws {
        try state.withLock { state in
            guard part.count <= maxSize - state.size else { throw HTTPError.bodyTooLarge(maxBodySize: maxSize) }
            try opened(&state).write(part)
            state.size += part.count
        }
    }

    func finish() throws -> Data {
        try state.withLock { state in
            let replacement = try opened(&state)
            state = State(isOver: true)
            try replacement.commit()
            return Data()
        }
    }

    func discard() { state.withLock { $0 = State(isOver: true) } }

    private func opened(_ state: inout State) throws -> FileReplacement {
        if state.isOver { throw CancellationError() }
        if let replacement = state.replacement { return replacement }
        let opened = try FileReplacement(of: file)
        state.replacement = opened
        return opened
    }
}
