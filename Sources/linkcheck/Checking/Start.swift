// Start: where the checking starts.

import Foundation

/// One of the things that linkcheck is given to check.
enum Start: Hashable, Sendable {
    /// The pages of a site, from this one on.
    case site(URL)
    /// The documents in a folder.
    case folder(URL)
    case file(URL)
}

extension Start {
    /// Reads an argument. What exists as a file is one, whatever it looks like.
    init(_ text: String, isOffline: Bool = false) throws(UsageError) {
        let path = text.isEmpty ? "\0" : text
        let file = URL.file(path)
        if Files.isFolder(file) {
            self = .folder(file)
        } else if FileManager.default.fileExists(atPath: path) {
            guard Document.Kind(of: file) != nil else { throw .noDocument(text) }
            self = .file(file)
        } else if text.contains(/^https?:/.ignoresCase()) {
            guard case .web(let address, _) = LinkTarget(text, on: URL(string: "http://localhost/")!) else {
                throw .badAddress(text)
            }
            guard !isOffline else { throw .offlineAddress(text) }
            self = .site(address)
        } else if text.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:\/\//) {
            throw .unknownScheme(text)
        } else {
            throw .noSuchFile(text)
        }
    }
}
