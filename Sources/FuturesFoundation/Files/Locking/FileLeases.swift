// FileLeases: turns that exclude the other processes of a machine, by files that they lock.

public import Foundation
public import Futures

/// Leases that the processes of a machine share: files in a folder, each of which at most one process has locked, with
/// `flock`.
///
///     let mutex = FutureMutex(leasesFrom: FileLeases(in: folder), named: "index")
///     mutex.enqueue { rebuild(folder) }
///
/// The operating system ends the lease of a process that ends, however it ends; a lease never ends by time. Between
/// processes, the order is undefined, because a file that is locked is tried again and again, at least every 50
/// milliseconds. Locks are advisory: a program that does not ask for the lease is not kept out. Not all network file
/// systems have them.
///
/// The file of a lease has its name, in which `%` and two hexadecimal digits stand for each byte of a character other
/// than letters and digits of ASCII, `-`, `_` and `.`; a name that is longer than the file system allows is an error.
/// The file is created if there is none, contains the last token, and is left. So the folder should be of no other use.
/// A token also exceeds the number of microseconds since 1970: so it is greater than earlier ones even if the file was
/// removed.
public struct FileLeases: OuterLeaseProvider {
    private let folder: URL

    /// Creates a provider. It has no lease.
    ///
    /// - Parameter folder: Where the files are. It must exist when a lease is requested.
    public init(in folder: URL) { self.folder = folder }

    /// Returns a future of the lease of a name, which waits until no other owner has it.
    ///
    /// - Parameter name: What the lease is for. Empty, it is a lease of its own.
    /// - Returns: A future that fails with a ``FileError`` if the file cannot be opened, locked or written.
    public func acquire(_ name: String) -> Future<OuterLease> {
        let place = folder.appendingPathComponent(Self.fileName(of: name))
        let policy = RetryPolicy(.exponential(from: .milliseconds(1), upTo: .milliseconds(50))) {
            LockedFile.isTaken($0)
        }
        return Files.blocking(on: .background, place, "", 0) { _ in
            let file = try LockedFile(place.filePath)
            // If the future is cancelled meanwhile, the last reference to the file goes, and the lock with it.
            return OuterLease(name: name, token: try file.nextToken(), holder: file)
        }
        .retry(policy, on: .background)
    }

    /// Unlocks the file of a lease.
    ///
    /// - Parameter lease: A lease of this provider.
    /// - Returns: A future that has succeeded.
    public func release(_ lease: OuterLease) -> Future<Void> {
        (lease.holder as? LockedFile)?.release()
        return Future()
    }

    /// Returns a file's name, another one for each name.
    static func fileName(of name: String) -> String {
        // Those are folders, or no names at all. No other name has a `%` in such a place.
        if ["", ".", ".."].contains(name) { return name.replacingOccurrences(of: ".", with: "%2E") + "%" }
        return name.utf8.map { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
