// DirectoryWalk: all files below a folder, one at a time.

public import Foundation

/// The files and folders below a folder, as a sequence that reads them one at a time.
///
///     Files.walk(folder).forEachToFuture(on: .background, maxConcurrentCount: 4) { entry in
///         index(entry.url)
///     } onResult: { _ in }
///
/// However many files there are, the memory that it takes depends on the depth only. Folders come before their
/// contents, in the order of the file system. Symbolic links are entries, and are not followed, so a walk ends; only
/// the folder of the walk may be one. The sequence blocks while it reads: iterate on a scheduler that may. Each
/// iteration reads the folders again; what is created or removed meanwhile may be missed.
///
/// Each folder is opened in the one before, so entries from elsewhere do not come, even if a symbolic link replaces a
/// folder meanwhile. A path does not have that guarantee: opening `Entry.url` later follows links that were put there
/// since.
public struct DirectoryWalk: Sequence, Sendable {
    let folder: URL
    let maxDepth: Int

    /// Returns an iterator, which opens the folder when it is asked for the first entry.
    public func makeIterator() -> Iterator { Iterator(self) }
}

extension DirectoryWalk {
    /// A file, a folder, or something else that is below the folder.
    public struct Entry: Sendable, Equatable {
        /// What an entry is.
        ///
        /// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Kind: Sendable, Equatable {
            /// A file with contents.
            case file
            /// A folder, whose contents follow.
            case directory
            /// A symbolic link, which is not followed.
            case symbolicLink
            /// A device, a pipe or a socket.
            case other
            /// A folder that cannot be read, for this reason. It has come before as a folder, unless it is the first
            /// one.
            case unreadable(FileError)
        }

        /// The place of the entry.
        public let url: URL
        /// What it is.
        public let kind: Kind
        /// The number of folders between it and the folder of the walk: 0 for what is immediately in that.
        public let depth: Int
    }

    /// Reads the entries.
    public struct Iterator: IteratorProtocol {
        private let maxDepth: Int
        /// The folder that is read next, with the name that the one above has for it: a URL may change that.
        private var pending: (url: URL, name: String, depth: Int)?
        /// The folders that are open, each in the one before.
        private var open: [(reader: DirectoryReader, url: URL)] = []

        fileprivate init(_ walk: DirectoryWalk) {
            maxDepth = walk.maxDepth
            pending = (walk.folder, "", 0)
        }

        /// Returns the next entry, or nil after the last one.
        public mutating func next() -> Entry? {
            if let (url, name, depth) = pending {
                pending = nil
                do {
                    let reader =
                        if let parent = open.last?.reader {
                            try DirectoryReader(name, in: parent, at: url)
                        } else {
                            try DirectoryReader(url)
                        }
                    open.append((reader, url))
                } catch {
                    return Entry(url: url, kind: .unreadable(error), depth: Swift.max(depth - 1, 0))
                }
            }
            while let (reader, url) = open.last {
                let depth = open.count - 1
                do throws(FileError) {
                    guard let (name, kind) = try reader.next() else {
                        open.removeLast()
                        continue
                    }
                    let place = url.appendingPathComponent(name, isDirectory: kind == .directory)
                    if kind == .directory, depth < maxDepth { pending = (place, name, depth + 1) }
                    return Entry(url: place, kind: kind, depth: depth)
                } catch {
                    open.removeLast()
                    return Entry(url: url, kind: .unreadable(error), depth: Swift.max(depth - 1, 0))
                }
            }
            return nil
        }
    }
}

extension Files {
    /// Returns the files and folders below a folder, as a sequence that reads them one at a time.
    ///
    /// - Parameters:
    ///   - folder: The folder. If it cannot be read, the sequence has one entry, which says why.
    ///   - maxDepth: The maximum number of folders between the folder and an entry; 0 for what is immediately in it. Each
    ///     level takes an open file.
    ///   - file: The file named by the trap.
    ///   - line: The line named by the trap.
    /// - Precondition: `maxDepth` is not negative.
    public static func walk(
        _ folder: URL, maxDepth: Int = 100, file: StaticString = #fileID, line: UInt = #line
    ) -> DirectoryWalk {
        guard maxDepth >= 0 else {
            fatalError("maxDepth must not be negative. Use 0 for one folder only.", file: file, line: line)
        }
        return DirectoryWalk(folder: folder, maxDepth: maxDepth)
    }
}
