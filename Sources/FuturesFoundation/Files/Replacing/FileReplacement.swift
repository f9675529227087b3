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
    /// The file of the caller, which all errors name.
    private let name: String
    private let path: String
    private let temporaryPath: String
    private let temporary: OpenFile
    private var isCommitted = false

    init(of url: URL) throws {
        name = try url.filePath
        path = try Self.target(of: name)
        var old = stat()
        let isThere = stat(path, &old) == 0
        // A device, a pipe or a socket would be gone.
        try OpenFile.checkIsRegular(name, for: "replace")
        // By scalars: a slash in front of a combining mark is a part of another character.
        let scalars = path.unicodeScalars
        let folder = scalars.lastIndex(of: "/").map { String(scalars[...$0]) } ?? ""
        // A name has at most 255 bytes.
        let start = path.utf8.dropFirst(folder.utf8.count).prefix(200)
        temporaryPath = folder + ".\(String(decoding: start, as: UTF8.self)).\(UUID().uuidString)"
        temporary = try TemporaryPaths.shared.adding(temporaryPath) { [temporaryPath, name] in
            // No other user may open it before it has the permissions of the old one: an open file stays readable.
            try OpenFile(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, mode: isThere ? 0o600 : 0o666, named: name)
        }
        // The new contents are as accessible as the old ones.
        if isThere { fchmod(temporary.descriptor, old.st_mode & 0o7777) }
    }

    deinit {
        if !isCommitted { unlink(temporaryPath) }
        TemporaryPaths.shared.forget(temporaryPath)
    }

    func write(_ data: Data, check: () throws -> Void = {}) throws {
        try temporary.write(data, check: check)
    }

    /// Replaces the file. The contents are on disk before, so that a crash of the system leaves either the old contents
    /// or the new ones.
    func commit(check: () throws -> Void = {}) throws {
        try OpenFile.retrying("sync", name) { fsync(temporary.descriptor) }
        try check()
        try OpenFile.retrying("replace", name) { rename(temporaryPath, path) }
        isCommitted = true
    }

    /// The file that a symbolic link refers to: that is replaced, not the link, if it exists.
    private static func target(of name: String) throws(FileError) -> String {
        guard let resolved = realpath(name, nil) else { return name }
        defer { free(resolved) }
        // Repaired, the name would be that of another file.
        guard let target = String(validatingCString: resolved) else {
            throw .system(call: "replace", path: name, code: EILSEQ)
        }
        return target
    }
}
