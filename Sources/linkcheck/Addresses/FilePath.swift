// FilePath: paths in the form in which they are compared.

import Foundation

enum FilePath {
    /// Returns the absolute path without `.`, `..` and empty components, and without a slash at its end. The file
    /// system is not asked: asking it for a million links takes longer than anything else.
    static func normal(_ path: String) -> String {
        let isRelative = path.utf8.first != "/"
        var components: [Substring] = []
        let absolute = isRelative ? FileManager.default.currentDirectoryPath + "/" + path : path
        for component in absolute.utf8.split(separator: "/", omittingEmptySubsequences: true) {
            switch Substring(component) {
            case ".": continue
            case "..": _ = components.popLast()
            case let name: components.append(name)
            }
        }
        return "/" + components.joined(separator: "/")
    }

    /// Returns the text after the last dot of the last component, or an empty text if it has none.
    static func fileExtension(of path: String) -> String {
        guard let dot = path.utf8.lastIndex(of: "."), !path[dot...].utf8.contains("/") else { return "" }
        return String(path[path.utf8.index(after: dot)...])
    }
}
