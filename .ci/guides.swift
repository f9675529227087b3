// guides: the Markdown of README and Documentation as articles of DocC.

import Foundation

/// A page of the documentation.
struct Guide {
    /// The path from the root of the package, such as `Documentation/Contract/Queues.md`.
    let path: String
    /// The name of the article. DocC's names are unique, also among those of symbols.
    let article: String
    let text: String
    /// DocC's names of the headings, by GitHub's.
    let headings: [String: String]
}

struct Guides {
    let all: [Guide]
    let images: [URL]
    private let byPath: [String: Guide]
    private let readme: String

    init(root: URL) throws {
        let folder = root.appending(path: "Documentation")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        all = try names.sorted().filter { $0.hasSuffix(".md") && $0 != "README.md" }.map { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let plain = String(name.dropLast(3)).replacing("/", with: "-").replacing("README", with: "index")
            let article = name.contains("/") ? plain : "Guide-\(plain)"
            return Guide(path: "Documentation/" + name, article: article, text: text, headings: Self.headings(of: text))
        }
        images = names.filter { $0.hasSuffix(".svg") }.sorted().map { folder.appending(path: $0) }
        byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
        readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    }

    func article(_ guide: Guide) -> String { convert(guide.text, at: guide.path) }

    /// The front page of the module: the README, the guides in their order, and the symbols.
    func frontPage(module: String, symbols: String) throws -> String {
        let text = convert(readme, at: "README.md")
        guard let title = text.range(of: "# Futures\n") else {
            throw Failure(description: "README.md has another title")
        }
        let order = try String(contentsOfFile: "Documentation/README.md", encoding: .utf8)
        return "# ``\(module)``\n" + text[title.upperBound...] + "\n## Topics\n\n" + reading(order) + symbols
    }

    /// Returns a section for each bold line of Documentation/README.md, with the guides that its list links to.
    private func reading(_ text: String) -> String {
        var sections = ""
        var seen: Set<String> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("**") { sections += "\n### \(line.trimmingCharacters(in: ["*"]))\n\n" }
            if line == "## Reference" { sections += "\n### Reference\n\n" }
            guard !sections.isEmpty else { continue }
            for link in line.matches(of: /\]\(([^)#]+\.md)(#[^)]*)?\)/) {
                guard let guide = byPath["Documentation/" + link.1], seen.insert(guide.article).inserted else {
                    continue
                }
                sections += "- <doc:\(guide.article)>\n"
            }
        }
        return sections + "\n"
    }
}

extension Guides {
    /// Converts the links, images and fences of a text.
    private func convert(_ text: String, at path: String) -> String {
        var isCode = false
        // Comments hide code of examples. DocC would read its attributes as directives.
        let visible = text.replacing(/<!--.*?-->\n?/.dotMatchesNewlines(), with: "")
        let lines = visible.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            if let fence = line.firstMatch(of: /^( *```)(\w*)/) {
                isCode.toggle()
                // DocC takes all of the line as the language.
                return String(fence.1) + (fence.2 == "output" ? "" : fence.2)
            }
            return isCode ? String(line) : convert(line: String(line), at: path)
        }
        return lines.joined(separator: "\n")
    }

    private func convert(line: String, at path: String) -> String {
        // Two backticks are a link to a symbol in DocC.
        line.replacing(/``\s?(.*?)\s?``/) { "`\($0.1.filter { $0 != "`" })`" }.replacing(
            /(!?)\[([^\]]*)\]\(([^)\s]+)\)/
        ) { match in
            let (mark, text, target) = (match.1, match.2, String(match.3))
            if target.contains("://") { return String(match.0) }
            if mark == "!" { return "![\(text)](\(target.split(separator: "/").last!))" }
            guard let reference = self.reference(to: target, from: path) else { return String(text) }
            return "[\(text)](doc:\(reference))"
        }
    }

    /// Returns DocC's name of a page, or of a heading on it, or nil for what is not a part of the reference.
    private func reference(to target: String, from path: String) -> String? {
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let folder = URL(filePath: "/" + path).deletingLastPathComponent()
        let file =
            parts[0].isEmpty ? path : String(folder.appending(path: parts[0]).standardizedFileURL.path.dropFirst())
        if file == "README.md" || file == "Documentation/README.md" { return "Futures" }
        guard let guide = byPath[file] else { return nil }
        guard parts.count > 1, let heading = guide.headings[parts[1]] else { return guide.article }
        return guide.article + "#" + heading
    }

    /// Returns the names of a text's headings, except for its title.
    private static func headings(of text: String) -> [String: String] {
        var names: [String: String] = [:]
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, let heading = line.wholeMatch(of: /##+ (.*)/) else { continue }
            let plain = heading.1.filter { $0 != "`" }
            let slug = plain.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            names[slug.replacing(" ", with: "-")] = plain.split(separator: " ").joined(separator: "-")
        }
        return names
    }
}
