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

    /// Returns the name of a path, or of an address on the web.
    func name(of address: String) -> String {
        if address.utf8.first == "/" {
            return address.hasPrefix(folder) ? String(address.dropFirst(folder.count)) : address
        }
        let form = shortForms.first { address.hasPrefix($0.long) }
        return form.map { $0.short + address.dropFirst($0.long.count) } ?? address
    }
}
