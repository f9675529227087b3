// Files: reads and writes files without blocking the caller.

import Foundation
import Futures

/// Reads and writes files on threads that may block.
///
///     Files.read(settings).map { try Settings($0) }
///
/// Each operation runs on a scheduler of its own, `.background` by default, and starts when it is called.
/// Cancelling its future stops it after at most 256 KiB. A failure is a `FileError`.
public enum Files {
    /// Returns a future of a file's contents.
    ///
    /// - Parameters:
    ///   - url: The file, which may also be a pipe or a device.
    ///   - maxSize: The maximum size; 64 MiB by default. A larger file fails the future with `FileError.tooLarge`, without
    ///     being read to its end.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - scheduler: Where the file is accessed.
    public static func read(
        _ url: URL, maxSize: Int = 64 << 20, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Data> {
        blocking(on: scheduler, url, file, line) { check in
            let path = try url.filePath
            let open = try OpenFile(path, O_RDONLY)
            var contents = Data()
            while true {
                try check()
                let piece = try open.read(upTo: OpenFile.pieceSize)
                if piece.isEmpty { return contents }
                guard piece.count <= maxSize - contents.count else {
                    throw FileError.tooLarge(path: path, maxSize: maxSize)
                }
                contents.append(contentsOf: piece)
            }
        }
    }

    /// Writes a file, which is created or overwritten, and returns a future of the end.
    ///
    /// A failure or a cancel leaves a part of the contents. `replace` does not. A pipe without a reader is a failure.
    ///
    /// - Parameters:
    ///   - data: The new contents.
    ///   - url: The file. Its folder must exist.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - scheduler: Where the file is accessed.
    @discardableResult
    public static func write(
        _ data: Data, to url: URL, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Void> {
        blocking(on: scheduler, url, file, line) { check in
            try OpenFile(url.filePath, O_WRONLY | O_CREAT | O_TRUNC).write(data, check: check)
        }
    }

    /// Appends to a file, which is created if there is none, and returns a future of the end.
    ///
    /// Each piece of up to 256 KiB is appended as a whole, whatever other processes append. A failure or a cancel
    /// leaves the pieces before.
    ///
    /// - Parameters:
    ///   - data: What is appended.
    ///   - url: The file. Its folder must exist.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - scheduler: Where the file is accessed.
    @discardableResult
    public static func append(
        _ data: Data, to url: URL, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Void> {
        blocking(on: scheduler, url, file, line) { check in
            try OpenFile(url.filePath, O_WRONLY | O_CREAT | O_APPEND).write(data, check: check)
        }
    }

    /// Replaces a file atomically, and returns a future of the end.
    ///
    /// Other processes see either the old contents or the new ones, and so they do after a crash. The contents are
    /// written to a temporary file in the same folder, which then gets the file's name and its permissions. A failure
    /// or a cancel leaves the file alone, unless the cancel comes while the file is being renamed. If the file is a
    /// symbolic link, the file that it refers to is replaced, if that exists. Folders, devices, pipes and sockets are
    /// not replaced: the future fails with a ``FileError``.
    ///
    /// - Parameters:
    ///   - url: The file, which need not exist. Its folder must exist.
    ///   - data: The new contents.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - scheduler: Where the file is accessed.
    @discardableResult
    public static func replace(
        _ url: URL, with data: Data, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Void> {
        blocking(on: scheduler, url, file, line) { check in
            let replacement = try FileReplacement(of: url)
            try replacement.write(data, check: check)
            try replacement.commit(check: check)
        }
    }

    /// Returns a future of what `work` returns on `scheduler`. `work` gets a closure that throws once the future is
    /// cancelled.
    static func blocking<T>(
        on scheduler: Scheduler, _ url: URL, _ file: StaticString = #fileID, _ line: UInt = #line,
        _ work: @escaping @Sendable (_ check: () throws -> Void) throws -> T
    ) -> Future<T> {
        Future(on: .immediate, file: file, line: line) { completion in
            let isCancelled = Locked(false)
            let check: @Sendable () throws -> Void = { if isCancelled.withLock({ $0 }) { throw CancellationError() } }
            scheduler.async {
                completion(
                    Result {
                        try check()
                        return try work(check)
                    })
            }
            return Disposer { isCancelled.withLock { $0 = true } }
        }
        .named(url.path)
    }
}
