// TemporaryFolder: files for a test.

import Foundation

@testable import linkcheck

/// A folder that is deleted when its last reference is released.
final class TemporaryFolder {
    let address = URL.file(FileManager.default.temporaryDirectory.appending(path: "linkcheck-\(UUID())").path())

    init(_ files: [String: String]) throws {
        for (name, text) in files {
            let file = address.appending(path: name)
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit { try? FileManager.default.removeItem(at: address) }

    var path: String { address.path(percentEncoded: false) }

    /// Names that show files by their paths in the folder.
    var names: Names { Names(folder: path) }
}
