// FileLock: mutual exclusion of processes, by a file that they lock.

public import Foundation
public import Futures

/// An exclusive lock that processes share: a file that at most one of them has locked, with `flock`.
///
///     let lock = FileLock(folder.appendingPathComponent("lock"))
///     lock.enqueue { rebuild(folder) }
///
/// The operating system releases the lock of a process that ends, however it ends. Within a process, use one object for a
/// file: its operations have their turns in first-in, first-out order. Between processes, and between several objects, the
/// order is undefined, because a lock that is taken is tried again and again, at least every 50 milliseconds. The file is
/// created if there is none, and is left. Locks are advisory: a program that does not ask for the lock is not kept out. Not
/// all network file systems have them.
public final class FileLock: Sendable {
    private let url: URL
    private let mutex: FutureMutex

    /// Creates a lock. It is not locked.
    ///
    /// - Parameter file: The file that is locked. Its folder must exist when the lock is taken.
    public init(_ file: URL) {
        url = file
        mutex = FutureMutex(label: "lock of \(file.lastPathComponent)")
    }

    /// Runs an operation while this process has the lock, and returns a future of its result.
    ///
    /// Cancelling the future while the operation waits removes it; afterwards, it cancels the operation. The lock is released
    /// when the operation has ended, however it has ended: not before its closure has returned and its future has completed.
    ///
    /// - Parameters:
    ///   - scheduler: Where `operation` is called.
    ///   - waitTimeout: A limit of the time behind other operations of this object, after which the future fails with
    ///     `QueueError.waitTimedOut`, and of the time for which another owner has the lock, after which it fails with
    ///     `FileError.locked`; nil for none.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when the lock is granted.
    @discardableResult
    public func enqueue<T>(
        on scheduler: Scheduler = .current, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let url = url
        // That of the run that has its turn of the mutex.
        let current = Locked<LockedTurn?>(nil)
        return mutex.enqueue(on: .immediate, waitTimeout: waitTimeout, file: file, line: line) {
            let turn = LockedTurn()
            current.withLock { $0 = turn }
            return Self.acquire(url, waitTimeout).flatMap(on: .immediate) { lock in
                try turn.run(with: lock, on: scheduler, operation)
            }
        } finally: { _ in
            current.withLock { $0.take() }?.end() ?? Future()
        }
    }

    /// Returns a future of the permit, which is granted when this process has the lock.
    ///
    /// - Parameters:
    ///   - waitTimeout: A limit of the time behind other permits of this object, after which the future fails with
    ///     `QueueError.waitTimedOut`, and of the time for which another owner has the lock, after which it fails with
    ///     `FileError.locked`; nil for none.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    public func lock(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<FilePermit> {
        let url = url
        return mutex.lock(waitTimeout: waitTimeout, file: file, line: line).flatMap(on: .immediate) { turn in
            Self.acquire(url, waitTimeout).map(on: .immediate) { FilePermit($0, turn) }
        }
    }

    /// Returns a future of the locked file, which is tried until no other owner has it.
    private static func acquire(_ file: URL, _ timeout: Duration?) -> Future<LockedFile> {
        let isLocked: @Sendable (any Error) -> Bool = { $0 as? FileError == .locked(path: file.path) }
        let policy = RetryPolicy(.exponential(from: .milliseconds(1), upTo: .milliseconds(50)), when: isLocked)
        let locked = Files.blocking(on: .concurrentBackground) { _ in try LockedFile(file.path) }
            .retry(policy, on: .background)
        guard let timeout else { return locked }
        return locked.fail(with: FileError.locked(path: file.path), after: timeout, on: .background)
    }
}

/// The right that a `FileLock` grants, to be released once.
///
/// It is also released when the last reference to it is. The future that granted it keeps a reference: store the permit
/// instead.
public final class FilePermit: Disposable {
    private let file: LockedFile
    private let turn: Permit

    fileprivate init(_ file: LockedFile, _ turn: Permit) {
        self.file = file
        self.turn = turn
    }

    deinit { release() }

    /// Releases the lock. Later calls do nothing.
    public func release() {
        file.release()
        turn.release()
    }

    /// Releases the lock, as `release()` does.
    public func dispose() { release() }
}
