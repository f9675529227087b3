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

/// A temporary file beside another one, which replaces that when it is committed, and is removed otherwise.
// Safe to share: it is used by one thread at a time.
final class FileReplacement: @unchecked Sendable {
    private let path: String
    private let temporary: OpenFile
    private var isCommitted = false

    init(of url: URL) throws {
        // What a symbolic link refers to is replaced, not the link.
        let target = url.resolvingSymlinksInPath()
        path = target.path
        let name = ".\(target.lastPathComponent.prefix(100)).\(UUID().uuidString)"
        let place = target.deletingLastPathComponent().appendingPathComponent(name).path
        temporary = try OpenFile(place, O_WRONLY | O_CREAT | O_EXCL)
        // The new contents are as accessible as the old ones.
        var old = stat()
        if stat(path, &old) == 0 { fchmod(temporary.descriptor, old.st_mode & 0o7777) }
    }

    deinit {
        if !isCommitted { unlink(temporary.path) }
    }

    func write(_ data: Data, check: () throws -> Void = {}) throws {
        try temporary.write(data, check: check)
    }

    /// Replaces the file. The contents are on disk before the name is changed, so that a crash of the system leaves
    /// either the old contents or the new ones.
    func commit() throws {
        try OpenFile.retrying("sync", path) { fsync(temporary.descriptor) }
        try OpenFile.retrying("replace", path) { rename(temporary.path, path) }
        isCommitted = true
    }
}
