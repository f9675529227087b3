// Visit: the result of a visit to an address.

import Foundation

/// The result of a visit to an address: the address after all redirects, and the document there, if it is of a kind
/// that is read.
///
/// A visit outlives its page's check, because other pages may link to its anchors. Its links do not.
@MainActor
final class Visit {
    let address: URL
    /// The document, without its links once they were taken.
    private(set) var document: Document?

    init(address: URL, document: Document?) {
        self.address = address
        self.document = document
    }

    /// The address that the document's links are relative to, which a `base` element may change.
    ///
    /// - Parameters:
    ///   - roots: The folders to which `/…` in a file is relative.
    ///   - published: The addresses at which these folders are published.
    func base(roots: [String], published: [String]) -> LinkBase {
        let page = LinkBase(address, roots: roots, published: address.isFileURL ? published : [])
        guard let base = document?.base else { return page }
        switch LinkTarget(base, on: page) {
        case .web(let address, _): return LinkBase(address)
        case .file(let paths, _):
            let isFolder = Self.namesFolder(base)
            return LinkBase(.file(paths[0]), roots: roots, published: published, isFolder: isFolder)
        case .ignored, .unusable: return page
        }
    }

    /// Returns whether the path of an address ends with a slash, or with `.` or `..`.
    private static func namesFolder(_ address: String) -> Bool {
        let path = address.trimmed.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last
        return last.map { ["", ".", ".."].contains($0) && !path.isEmpty } ?? false
    }

    /// Removes the links from the document and returns them, so that they are checked once.
    func takeLinks() -> [Link] {
        defer { document?.links = [] }
        return document?.links ?? []
    }
}
