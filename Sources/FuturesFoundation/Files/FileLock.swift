// FileLock: mutual exclusion of processes, by a file that they lock.

public import Foundation
public import Futures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

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
    private let file: URL
    private let mutex: FutureMutex

    /// Creates a lock. It is not locked.
    ///
    /// - Parameter file: The file that is locked. Its folder must exist when the lock is taken.
    public init(_ file: URL) {
        self.file = file
        mutex = FutureMutex(label: "lock of \(file.lastPathComponent)")
    }

    /// Runs an operation while this process has the lock, and returns a future of its result.
    ///
    /// Cancelling the future while the operation waits removes it; afterwards, it cancels the operation. The lock is released
    /// when the operation has ended, however it has ended.
    ///
    /// - Parameters:
    ///   - scheduler: Where `operation` is called.
    ///   - waitTimeout: A limit of the time behind other operations of this object, after which the future fails with
    ///     `QueueError.waitTimedOut`, and of the time for which another owner has the lock, after which it fails with
    ///     `FileError.locked`; nil for none.
    ///   - operation: Called when the lock is granted.
    @discardableResult
    public func enqueue<T>(
        on scheduler: Scheduler = .current, waitTimeout: Duration? = nil,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let held = Locked<LockedFile?>(nil)
        let file = file
        return mutex.enqueue(on: .immediate, waitTimeout: waitTimeout) {
            Self.acquire(file, waitTimeout)
                .map(on: .immediate) { lock in held.withLock { $0 = lock } }
                .flatMap(on: scheduler) { try operation() }
        } finally: { _ in
            held.withLock { $0.take() }?.release()
            return Future()
        }
    }

    /// Returns a future of the permit, which is granted when this process has the lock.
    ///
    /// - Parameter waitTimeout: A limit of the time behind other permits of this object, after which the future fails with
    ///   `QueueError.waitTimedOut`, and of the time for which another owner has the lock, after which it fails with
    ///   `FileError.locked`; nil for none.
    public func lock(waitTimeout: Duration? = nil) -> Future<FilePermit> {
        let file = file
        return mutex.lock(waitTimeout: waitTimeout).flatMap(on: .immediate) { turn in
            Self.acquire(file, waitTimeout).map(on: .immediate) { FilePermit($0, turn) }
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

/// A file that is locked until it is released.
private final class LockedFile: Sendable {
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
