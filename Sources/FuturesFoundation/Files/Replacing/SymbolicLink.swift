// SymbolicLink: what a symbolic link refers to, whether or not that exists.

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

/// Follows symbolic links.
enum SymbolicLink {
    /// Returns the path of the file that a path refers to, which need not exist: the last part of it is no symbolic
    /// link.
    // `resolvingSymlinksInPath()` leaves links to files that do not exist, and those that lead to each other.
    static func target(of path: String) throws(FileError) -> String {
        var target = path
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let destination = try destination(of: target) else { return target }
            let isAbsolute = destination.unicodeScalars.first == "/"
            target = isAbsolute ? destination : folder(of: target) + destination
        }
        throw .system(call: "replace", path: path, code: ELOOP)
    }

    /// Returns the folder of a path, with its slash; empty if the path has none.
    // By scalars: a slash in front of a combining mark is a part of another character.
    static func folder(of path: String) -> String {
        let scalars = path.unicodeScalars
        return scalars.lastIndex(of: "/").map { String(scalars[...$0]) } ?? ""
    }

    /// Returns the contents of a symbolic link; nil if it is none, or cannot be read.
    private static func destination(of path: String) throws(FileError) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        // Another name would be another file.
        guard let text = String(validating: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) else {
            throw .system(call: "replace", path: path, code: EILSEQ)
        }
        return text
    }
}
