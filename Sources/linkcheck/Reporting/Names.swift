// Names: formats addresses for reports.

import Foundation

/// Formats files relative to the working directory, and addresses in their short form if they have one.
struct Names: Sendable {
    private let folder: String
    private let shortForms: [(long: String, short: String)]

    /// Creates a formatter. Each long form is a prefix of addresses, which is replaced by its short form.
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
