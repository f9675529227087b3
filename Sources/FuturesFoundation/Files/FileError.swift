// FileError: why a file cannot be used.

import Foundation

/// The reason for which a file or a directory cannot be used.
///
/// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FileError: Error, Equatable {
    /// A call of the operating system has failed, such as `open`. The code is that of `errno`.
    case system(call: String, path: String, code: Int32)

    /// The file is larger than the limit of the reader.
    case tooLarge(path: String, maxSize: Int)

    /// The address has a scheme other than `file`, such as `http`.
    case notAFile(address: String)
}

extension FileError: CustomStringConvertible, LocalizedError, DescribedError {
    /// A sentence that says what happened.
    public var description: String {
        switch self {
        case .system(let call, let path, let code): "Cannot \(call) \(path): \(String(cString: strerror(code)))"
        case .tooLarge(let path, let limit): "The file is larger than \(limit) bytes, the limit of the reader: \(path)"
        case .notAFile(let address): "This is the address of no file: \(address)"
        }
    }
}

extension URL {
    /// The path of the file. Throws if the address has a scheme other than `file`: its path would be that of another
    /// file.
    var filePath: String {
        get throws(FileError) {
            guard scheme == nil || isFileURL else { throw .notAFile(address: absoluteString) }
            return path
        }
    }
}
