// Start: the starting point of a check.

import Foundation

/// The starting point of a check, as given on the command line.
enum Start: Hashable, Sendable {
    /// The pages of a site, starting with this one.
    case site(URL)
    /// The documents in a folder and its subfolders.
    case folder(URL)
    case file(URL)
}

extension Start {
    /// Parses an argument. If a file or folder with that path exists, it takes precedence over an address.
    init(_ text: String, isOffline: Bool = false) throws(UsageError) {
        let path = text.isEmpty ? "\0" : text
        let file = URL.file(path)
        if let isFolder = Files.isFolder(path) {
            guard isFolder || DocumentKind(of: file)?.isPage == true else { throw .noDocument(text) }
            self = isFolder ? .folder(file) : .file(file)
        } else if ["http", "https"].contains(LinkTarget.scheme(of: text)) {
            guard case .web(let address, _) = LinkTarget(text, on: URL(string: "http://localhost/")!) else {
                throw .badAddress(text)
            }
            guard URL(string: text)?.user == nil else { throw .passwordInAddress }
            guard !isOffline else { throw .offlineAddress(text) }
            self = .site(address)
        } else if let scheme = LinkTarget.scheme(of: text), text.dropFirst(scheme.count).hasPrefix("://") {
            throw .unknownScheme(text)
        } else {
            throw .noSuchFile(text)
        }
    }
}
