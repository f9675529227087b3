// OpenFile: a file descriptor, which is closed when it is released.

import Foundation
import Futures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, which is closed when its last reference is released.
final class OpenFile: Sendable {
    let descriptor: Int32
    /// What errors call it.
    let path: String

    /// Opens a file, which errors call `name`. It is not inherited by other programs.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o666, named name: String? = nil) throws {
        descriptor = try Self.retrying("open", name ?? path) { systemOpen(path, flags | O_CLOEXEC, mode) }
        self.path = name ?? path
    }

    /// Creates an object that owns a descriptor.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = systemClose(descriptor) }

    /// Returns up to `count` bytes, none at the end of the file.
    func read(upTo count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
            size = try Self.retrying("read", path) { systemRead(descriptor, buffer.baseAddress, count) }
        }
    }

    /// Writes all bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = try Self.retrying("write", path) { quietWrite(descriptor, part.baseAddress, part.count) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes data in pieces, and calls `check` before each.
    func write(_ data: Data, check: () throws -> Void = {}) throws {
        try data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                try check()
                let piece = bytes[offset..<min(offset + Self.pieceSize, bytes.count)]
                try write(UnsafeRawBufferPointer(rebasing: piece))
                offset += piece.count
            }
        }
    }

    /// How much is read or written before a cancel is noticed.
    static let pieceSize = 256 * 1024

    /// Calls a function of the system, again if a signal has interrupted it. Throws if it returns a negative number.
    @discardableResult
    static func retrying<T: SignedInteger>(_ call: String, _ path: String, _ body: () -> T) throws -> T {
        while true {
            let result = body()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw FileError.system(call: call, path: path, code: code) }
        }
    }
}

extension OpenFile {
    /// Throws if there is a folder, a device, a pipe or a socket at `path`.
    static func checkIsRegular(_ path: String, for call: String) throws {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG else { return }
        let code = info.st_mode & S_IFMT == S_IFDIR ? EISDIR : EOPNOTSUPP
        throw FileError.system(call: call, path: path, code: code)
    }

    /// Returns the two ends of a pipe. Other programs do not inherit them, unless they are started in between.
    static func pipe() throws -> (reading: OpenFile, writing: OpenFile) {
        var ends: [Int32] = [0, 0]
        try retrying("create", "a pipe") { systemPipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (OpenFile(descriptor: ends[0], path: "a pipe"), OpenFile(descriptor: ends[1], path: "a pipe"))
    }
}

// The system's functions, under names that the methods do not hide.
func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(file, bytes, count) }
func systemClose(_ file: Int32) -> Int32 { close(file) }
func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
