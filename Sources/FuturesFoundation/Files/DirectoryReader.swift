// DirectoryReader: the names in one folder, one at a time.

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

/// Reads the names in one folder. It is used by one iterator.
final class DirectoryReader {
    #if canImport(Darwin)
        private let stream: UnsafeMutablePointer<DIR>
    #else
        private let stream: OpaquePointer
    #endif
    private let path: String

    /// Opens a folder.
    convenience init(_ url: URL) throws(FileError) {
        let path = try url.filePath
        try self.init(path) { systemOpen(path, $0, 0) }
    }

    /// Opens the folder of this name in another one that is open, wherever that is by now. A symbolic link that has
    /// replaced it is an error.
    convenience init(_ name: String, in parent: DirectoryReader, at url: URL) throws(FileError) {
        try self.init(url.path) { openat(dirfd(parent.stream), name, $0 | O_NOFOLLOW) }
    }

    private init(_ path: String, open: (_ flags: Int32) -> Int32) throws(FileError) {
        self.path = path
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var descriptor = open(flags)
        while descriptor < 0, errno == EINTR { descriptor = open(flags) }
        guard descriptor >= 0 else { throw FileError.system(call: "open", path: path, code: errno) }
        guard let stream = fdopendir(descriptor) else {
            defer { _ = systemClose(descriptor) }
            throw FileError.system(call: "open", path: path, code: errno)
        }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// Returns the next name, and what it is, or nil after the last one.
    func next() throws(FileError) -> (name: String, kind: DirectoryWalk.Entry.Kind)? {
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno == 0 { return nil }
                throw FileError.system(call: "read", path: path, code: errno)
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { return (name, kind(of: name, Int32(entry.pointee.d_type))) }
        }
    }

    private func kind(of name: String, _ type: Int32) -> DirectoryWalk.Entry.Kind {
        switch type {
        case Int32(DT_REG): return .file
        case Int32(DT_DIR): return .directory
        case Int32(DT_LNK): return .symbolicLink
        case Int32(DT_UNKNOWN): break
        default: return .other
        }
        // Some file systems do not tell.
        var information = stat()
        guard fstatat(dirfd(stream), name, &information, AT_SYMLINK_NOFOLLOW) == 0 else { return .other }
        switch information.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        case S_IFLNK: return .symbolicLink
        default: return .other
        }
    }
}
