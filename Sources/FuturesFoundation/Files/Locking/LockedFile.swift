// LockedFile: a file that this process has locked, with flock.

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

/// A file that is locked until it is released.
final class LockedFile: Sendable {
    private let file: Locked<OpenFile?>

    /// Locks a file, or throws an error for which `isTaken` is true.
    init(_ path: String) throws {
        while true {
            let open = try OpenFile(path, O_RDWR | O_CREAT)
            try OpenFile.retrying("lock", path) { flock(open.descriptor, LOCK_EX | LOCK_NB) }
            // If the file was replaced meanwhile, the other processes lock the new one.
            var (mine, named) = (stat(), stat())
            fstat(open.descriptor, &mine)
            if stat(path, &named) == 0, mine.st_ino == named.st_ino, mine.st_dev == named.st_dev {
                file = Locked(open)
                return
            }
        }
    }

    /// Whether an error says that another owner has locked the file.
    static func isTaken(_ error: any Error) -> Bool {
        if case FileError.system("lock", _, EWOULDBLOCK) = error { true } else { false }
    }

    /// Returns a number that is greater than all that this has returned for the file, and stores it there.
    func nextToken() throws -> UInt64 {
        guard let file = file.withLock({ $0 }) else { throw CancellationError() }
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = try OpenFile.retrying("read", file.path) { pread(file.descriptor, &bytes, bytes.count, 0) }
        let last = UInt64(String(decoding: bytes.prefix(count), as: UTF8.self)) ?? 0
        let now = max(0, Date().timeIntervalSince1970 * 1_000_000)
        guard last < .max else { throw FileError.system(call: "count in", path: file.path, code: EOVERFLOW) }
        let token = max(last + 1, UInt64(exactly: now.rounded(.down)) ?? 0)
        // One call, and always as long: so a process that is killed leaves the old number or the new one.
        let digits = Array("\(token)".utf8)
        let text =
            [UInt8](repeating: UInt8(ascii: "0"), count: bytes.count - digits.count) + digits + [UInt8(ascii: "\n")]
        try OpenFile.retrying("write", file.path) { pwrite(file.descriptor, text, text.count, 0) }
        return token
    }

    /// Releases the lock. Later calls do nothing.
    func release() {
        // The lock belongs to the open file: closing it releases the lock.
        _ = file.withLock { $0.take() }
    }
}
