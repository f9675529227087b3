// Prints what the comments of public declarations leave out, from the compiler's symbol graphs.
//
//   comments <folder with *.symbols.json>
//
// A comment begins with a sentence, and names each parameter: as an item of its list, or, if there is one parameter, in
// the text. It says what a function returns and throws.

import Foundation

struct Graph: Decodable {
    var symbols: [Symbol]
}

struct Symbol: Decodable {
    struct Kind: Decodable { var identifier: String }
    struct Fragment: Decodable { var spelling: String }
    struct Comment: Decodable {
        struct Line: Decodable { var text: String }
        var lines: [Line]
    }
    struct Signature: Decodable {
        struct Parameter: Decodable {
            var name: String
            var internalName: String?
        }
        var parameters: [Parameter]?
        var returns: [Fragment]?
    }
    struct Location: Decodable {
        struct Position: Decodable { var line: Int }
        var uri: String
        var position: Position
    }

    var kind: Kind
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var docComment: Comment?
    var functionSignature: Signature?
    var location: Location?

    var place: String {
        guard let location else { return "?" }
        return "\(location.uri.components(separatedBy: "/Sources/").last!):\(location.position.line + 1)"
    }

    /// Whether the declaration exists to reject wrong code with a message.
    var isRejecting: Bool {
        place.contains("Rejected") || declarationFragments.contains { $0.spelling == "LazySequenceIsNotSendable" }
    }

    /// The declaration without the parts in parentheses.
    private var outline: String {
        var depth = 0
        return String(
            declarationFragments.map(\.spelling).joined().filter { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth == 0
            })
    }

    /// What the comment leaves out.
    var omissions: [String] {
        guard let docComment else { return ["has no comment"] }
        let lines = docComment.lines.map { $0.text.trimmingCharacters(in: .whitespaces) }
        let text = lines.joined(separator: "\n")
        // A twin has one line, and a link to the comment that is complete.
        if text.replacing("\n", with: " ").contains(": see ``") { return [] }
        var omissions: [String] = []
        let summary = lines.prefix { !$0.isEmpty }.joined(separator: " ")
        if ![".", ":"].contains(summary.suffix(1)) { omissions.append("has a summary that is no sentence") }
        guard let functionSignature else { return omissions }
        for parameter in functionSignature.parameters ?? [] {
            let name = parameter.internalName ?? parameter.name
            let isListed = text.contains("- Parameter \(name):") || lines.contains { $0.hasPrefix("- \(name):") }
            // The operands of operators need no words.
            let isOperator = kind.identifier == "swift.func.op"
            if !isListed, !text.contains("`\(name)`"), !isOperator { omissions.append("does not name \(name)") }
        }
        let type = (functionSignature.returns ?? []).map(\.spelling).joined()
        let returnsNothing = ["()", "Void", "Never", ""].contains(type) || kind.identifier.hasSuffix("init")
        if !returnsNothing, text.range(of: "return", options: .caseInsensitive) == nil {
            omissions.append("does not say what is returned")
        }
        if outline.split(separator: " ").contains("throws"), text.range(of: "throw", options: .caseInsensitive) == nil {
            omissions.append("does not say what is thrown")
        }
        return omissions
    }
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
for file in files {
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
    for symbol in graph.symbols where !symbol.isRejecting {
        for omission in symbol.omissions {
            print("\(symbol.place): the comment of \(symbol.pathComponents.joined(separator: ".")) \(omission)")
        }
    }
}
