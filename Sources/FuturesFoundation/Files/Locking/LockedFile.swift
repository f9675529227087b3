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

    /// Locks a file, or throws `FileError.locked`.
    init(_ path: String) throws {
        while true {
            let open = try OpenFile(path, O_RDWR | O_CREAT)
            do {
                try OpenFile.retrying("lock", path) { flock(open.descriptor, LOCK_EX | LOCK_NB) }
            } catch FileError.system(_, _, EWOULDBLOCK) {
                throw FileError.locked(path: path)
            }
            // If the file was replaced meanwhile, the other processes lock the new one.
            var (mine, named) = (stat(), stat())
            fstat(open.descriptor, &mine)
            if stat(path, &named) == 0, mine.st_ino == named.st_ino, mine.st_dev == named.st_dev {
                file = Locked(open)
                return
            }
        }
    }

    /// Releases the lock. Later calls do nothing.
    func release() {
        // The lock belongs to the open file: closing it releases the lock.
        _ = file.withLock { $0.take() }
    }
}
