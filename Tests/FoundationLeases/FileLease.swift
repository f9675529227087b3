// FileLease: a file that one process at a time has locked. Documentation/Guides/Leases.md shows it.

import Foundation
import Futures

/// A file that this process has locked: the system unlocks it when the process ends, however it ends.
final class FileLease: Sendable {
    /// A number that is greater than those of all earlier leases of the file, which contains it.
    let token: UInt64
    private let descriptor: Int32

    /// Locks a file, or fails with `EWOULDBLOCK` if another process has locked it.
    init(_ path: String) throws {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        var digits = [UInt8](repeating: 0, count: 20)
        let isLocked = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0
        let count = isLocked ? max(0, pread(file, &digits, digits.count, 0)) : 0
        let last = UInt64(String(decoding: digits.prefix(count), as: UTF8.self)) ?? 0
        let next = "\(last + 1)"
        // In one call, and always as long: a process that is killed leaves the old number or the new one.
        guard isLocked, pwrite(file, String(repeating: "0", count: 20 - next.count) + next, 20, 0) == 20 else {
            let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            close(file)
            throw error
        }
        (token, descriptor) = (last + 1, file)
    }

    deinit { close(descriptor) }

    func release() { flock(descriptor, LOCK_UN) }
}

/// Returns turns that the processes of a machine take one at a time, with a lease for each.
func leases(_ path: String) -> ResourcePool<FileLease> {
    let policy = RetryPolicy(.exponential(from: .milliseconds(1), upTo: .milliseconds(50))) {
        ($0 as? POSIXError)?.code == .EWOULDBLOCK
    }
    return ResourcePool(maxCount: 1, callTimeout: .seconds(86_400), idleTimeout: .zero) {
        Future(on: .background, immediate: { try FileLease(path) }).retry(policy)
    } close: { lease in
        lease.release()
        return Future()
    }
}
