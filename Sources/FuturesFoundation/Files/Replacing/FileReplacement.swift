// FileReplacement: a temporary file that replaces another one atomically.

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

/// A temporary file beside another one, which replaces that when it is committed, and is removed otherwise, also when
/// the process exits.
// Safe to share: it is used by one thread at a time.
final class FileReplacement: @unchecked Sendable {
    /// What a test can see.
    enum Step: Sendable {
        /// The contents are on disk, and a cancel still leaves the file alone.
        case written
        /// The file is about to be replaced, and a cancel comes too late.
        case claimed
    }

    private let path: String
    private let temporary: OpenFile
    private var isCommitted = false

    init(of url: URL) throws {
        // What a symbolic link refers to is replaced, not the link.
        path = try SymbolicLink.target(of: url.filePath)
        var old = stat()
        let isThere = stat(path, &old) == 0
        // A device, a pipe or a socket would be gone.
        try OpenFile.checkIsRegular(path, for: "replace")
        let folder = SymbolicLink.folder(of: path)
        // A name has at most 255 bytes.
        let start = path.utf8.dropFirst(folder.utf8.count).prefix(200)
        let name = ".\(String(decoding: start, as: UTF8.self)).\(UUID().uuidString)"
        temporary = try TemporaryPaths.shared.adding(folder + name) {
            // No other user may open it before it has the permissions of the old one: an open file stays readable.
            try OpenFile(folder + name, O_WRONLY | O_CREAT | O_EXCL, mode: isThere ? 0o600 : 0o666)
        }
        // The new contents are as accessible as the old ones.
        if isThere { fchmod(temporary.descriptor, old.st_mode & 0o7777) }
    }

    deinit {
        if !isCommitted { unlink(temporary.path) }
        TemporaryPaths.shared.forget(temporary.path)
    }

    func write(_ data: Data, check: () throws -> Void = {}) throws {
        try temporary.write(data, check: check)
    }

    /// Leaves the contents on disk, so that a crash of the system behind `commit` leaves either the old contents or the
    /// new ones.
    func prepare() throws {
        try OpenFile.retrying("sync", path) { fsync(temporary.descriptor) }
    }

    /// Replaces the file.
    func commit() throws {
        try OpenFile.retrying("replace", path) { rename(temporary.path, path) }
        isCommitted = true
    }
}
