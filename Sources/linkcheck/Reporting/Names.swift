// Names: how addresses are shown.

import Foundation

/// Shows files relative to the working folder, and addresses in short where there is a short form.
struct Names: Sendable {
    private let folder: String
    private let shortForms: [(long: String, short: String)]

    /// Each long form is the start of addresses.
    init(
        folder: String = FileManager.default.currentDirectoryPath,
        shortForms: [(long: String, short: String)] = []
    ) {
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        self.shortForms = shortForms
    }

    func name(of address: URL) -> String {
        if address.isFileURL {
            let path = address.path(percentEncoded: false)
            return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
        }
        let text = address.absoluteString
        let form = shortForms.first { text.hasPrefix($0.long) }
        return form.map { $0.short + text.dropFirst($0.long.count) } ?? text
    }
}
