// IgnoreRules: the files and folders that a search of a folder leaves out.

import Foundation

/// Patterns as in `.gitignore`. Of several that match, the last counts.
struct IgnoreRules: Sendable {
    private struct Rule: Sendable {
        /// The folder to which the patterns are relative.
        let folder: String
        /// A path matches if one of these does.
        let patterns: [String]
        let isForFolders: Bool
        let isForNames: Bool
        let isInclusion: Bool
        let flags: Int32
    }

    private var rules: [Rule] = []

    /// The folders into which package managers copy what others have written.
    private static let dependencies = ["node_modules/", "bower_components/", "Pods/", "Carthage/"]

    /// Creates the rules for a search of a folder: those of the options, and those of the `.gitignore` files around it in
    /// the same repository.
    init(around folder: String, options: Files) {
        if options.honorsIgnoreFiles {
            for pattern in Self.dependencies { add(pattern, in: folder) }
            var outer: [String] = []
            var path = folder[...]
            while !path.isEmpty, Files.isFolder(path + "/.git") == nil {
                path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
                outer.append(String(path))
            }
            if !path.isEmpty { for folder in outer.reversed() { readFile(in: folder) } }
        }
        for pattern in options.skipped { add(pattern, in: folder) }
    }

    /// Adds the rules of the `.gitignore` file in a folder, if there is one.
    mutating func readFile(in folder: String) {
        guard let bytes = try? Files.content(of: folder + "/.gitignore") else { return }
        for line in Arguments.lines(of: bytes.text(bytes.indices)) { add(line, in: folder) }
    }

    private mutating func add(_ line: String, in folder: String) {
        let isInclusion = line.hasPrefix("!")
        let pattern = line.dropFirst(isInclusion ? 1 : 0)
        let isForFolders = pattern.hasSuffix("/")
        let path = String(pattern.dropLast(isForFolders ? 1 : 0))
        let relative = path.hasPrefix("/") ? String(path.dropFirst()) : path
        // Two asterisks match any number of folders, and none.
        let isDeep = relative.contains("**")
        let patterns = isDeep ? ["**/": "", "**": "*"].map { relative.replacing($0, with: $1) } : [relative]
        rules.append(
            Rule(
                folder: folder + "/", patterns: patterns, isForFolders: isForFolders, isForNames: !path.contains("/"),
                isInclusion: isInclusion, flags: isDeep ? 0 : FNM_PATHNAME))
    }

    /// Returns whether a file or folder, which is in the folders of all rules, is left out.
    func ignore(_ path: String, isFolder: Bool) -> Bool {
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        let last = rules.last { rule in
            guard isFolder || !rule.isForFolders else { return false }
            let text = String(rule.isForNames ? name : path.dropFirst(rule.folder.count))
            return rule.patterns.contains { fnmatch($0, text, rule.flags) == 0 }
        }
        return last?.isInclusion == false
    }
}
