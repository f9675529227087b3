// Prints the public interface of a module as text, from the compiler's symbol graphs.
//
//   api <folder with *.symbols.json>              the interface
//   api <folder with *.symbols.json> --budgets    the names of functions, properties and initialisers, and which make a future
//
// Each type has a block: its declaration, the protocols that it conforms to, and its members, sorted. Functions that
// belong to no type are in the first block. Declarations that only reject wrong code with a message are left out: the
// compiler leaves out the unavailable ones, and this program those that nothing can call
// (`LazySequenceIsNotSendable`).
//
// Each change that breaks the source of clients changes or removes a line. So a protocol's line has the requirements without
// a default, an enum's its cases, unless clients need a default for them, and a member's the constraints of `some` and
// whether asynchronous code may not use it.

import Foundation

struct Graph: Decodable {
    var symbols: [Symbol]
    var relationships: [Relationship]
}

struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
}

struct Symbol: Decodable {
    struct Kind: Decodable { var identifier: String }
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable { var spelling: String }
    struct Constraint: Decodable {
        var kind: String
        var lhs: String
        var rhs: String
        var text: String { lhs + (kind == "sameType" ? " == " : " : ") + rhs }
    }
    struct Generics: Decodable { var constraints: [Constraint]? }
    struct Location: Decodable {
        struct Position: Decodable { var line: Int }
        var uri: URL
        var position: Position
    }

    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var swiftGenerics: Generics?
    var swiftExtension: Generics?
    var location: Location?

    var isType: Bool { ["struct", "class", "enum", "protocol"].contains { kind.identifier == "swift.\($0)" } }
    var path: String { pathComponents.joined(separator: ".") }
    var owner: String { isType ? path : pathComponents.dropLast().joined(separator: ".") }

    /// The declaration on one line.
    var declaration: String {
        var text = declarationFragments.map(\.spelling).joined()
        if isType { text = text.replacingOccurrences(of: " " + pathComponents.last!, with: " " + path) }
        text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text
    }

    /// The conditions of the extension that the declaration is in, as far as `text` does not show them, and those of the
    /// associated types of `some`.
    func conditions(notIn text: String) -> String {
        let ofSome = (swiftGenerics?.constraints ?? []).filter { $0.lhs.hasPrefix("(some ") }
        let conditions = (ofSome + (swiftExtension?.constraints ?? [])).map(\.text).filter { !text.contains($0) }
        return conditions.isEmpty ? "" : " // where " + conditions.sorted().joined(separator: ", ")
    }

    /// Whether an attribute forbids its use in asynchronous code: the symbol graph does not say, so the source does.
    var isNoAsync: Bool {
        guard let location, let text = try? String(contentsOf: location.uri, encoding: .utf8) else { return false }
        return text.split(separator: "\n", omittingEmptySubsequences: false)[...location.position.line].reversed()
            .prefix { !$0.isEmpty && !$0.contains("///") }.contains { $0.contains("noasync") }
    }
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
let graphs = try files.map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }

var types: [String: String] = [:]
var members: [String: Set<String>] = [:]
var paths: [String: String] = [:]
for symbol in graphs.flatMap(\.symbols) where symbol.isType {
    types[symbol.path] = symbol.declaration
    paths[symbol.identifier.precise] = symbol.path
}
let relationships = graphs.flatMap(\.relationships)
let requirements = Set(relationships.filter { $0.kind == "requirementOf" }.map(\.source))
let withDefault = Set(relationships.filter { $0.kind == "defaultImplementationOf" }.map(\.target))
// By type: what it must have exactly, or clients do not compile.
var exact: [String: [String]] = [:]
for symbol in graphs.flatMap(\.symbols) where !symbol.isType {
    let rejecting = ["@LazySequenceIsNotSendable "]
    if rejecting.contains(where: symbol.declaration.contains) { continue }
    let conditions = symbol.conditions(notIn: symbol.declaration + (types[symbol.owner] ?? ""))
    let isRequirement = requirements.contains(symbol.identifier.precise)
    let isCase = symbol.kind.identifier == "swift.enum.case" && types[symbol.owner]?.contains("@nonexhaustive") != true
    if isCase || isRequirement && !withDefault.contains(symbol.identifier.precise) {
        exact[symbol.owner, default: []].append(symbol.pathComponents.last!)
    }
    let note = (isRequirement ? " // requirement" : conditions) + (symbol.isNoAsync ? " // noasync" : "")
    members[symbol.owner, default: []].insert(symbol.declaration + note)
}
// A Deferred counts as a future. What a protocol asks for is made by those who conform.
if CommandLine.arguments.contains("--budgets") {
    for symbol in graphs.flatMap(\.symbols) where !symbol.isType && !requirements.contains(symbol.identifier.precise) {
        let name = symbol.pathComponents.last!.prefix { $0 != "(" }
        guard name.allSatisfy(\.isLetter), !symbol.declaration.contains("@LazySequenceIsNotSendable ") else { continue }
        let isInitialiser = symbol.kind.identifier == "swift.init"
        let parts = symbol.declaration.components(separatedBy: symbol.kind.identifier.contains("property") ? ": " : " -> ")
        let type = isInitialiser ? symbol.owner : parts.count > 1 ? parts.last! : ""
        let isFuture = type.wholeMatch(of: /(Future|Deferred|Promise)(<((?!>\.[A-Z]).)*)?( .*)?/) != nil
        print((symbol.owner.isEmpty ? "" : symbol.owner + ".") + name, isFuture ? "future" : "other")
    }
    exit(0)
}

var conformances: [String: Set<String>] = [:]
for relationship in relationships where relationship.kind == "conformsTo" {
    guard let path = paths[relationship.source] else { continue }
    let name = relationship.targetFallback ?? paths[relationship.target] ?? relationship.target
    // Of every type.
    guard !["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"].contains(name) else { continue }
    conformances[path, default: []].insert(name.hasPrefix("Swift.") ? String(name.dropFirst(6)) : name)
}

func key(of declaration: String) -> String {
    declaration.split(separator: " ").drop { $0.hasPrefix("@") }.joined(separator: " ")
}

for owner in Set(types.keys).union(members.keys).sorted() {
    print()
    let names = exact[owner].map { " // exactly " + $0.sorted().joined(separator: ", ") } ?? ""
    print(owner.isEmpty ? "functions" : (types[owner] ?? "extension \(owner)") + names)
    if let protocols = conformances[owner] { print("    conforms to \(protocols.sorted().joined(separator: ", "))") }
    // By name, not by attribute.
    let sorted = (members[owner] ?? []).sorted { key(of: $0) < key(of: $1) }
    for member in sorted { print("    \(member)") }
}
