// FunctionName: what a person calls a function, out of what the compiler calls it.

/// The name of a function: its module, and its types and itself, as in `Futures` and `Future.map`.
///
///     closure #1 @Sendable (Swift.Int) throws -> () in App.Fetcher.refresh(every: Swift.Int) -> ()     Fetcher.refresh
struct FunctionName: Hashable, Sendable {
    let module: String
    let name: String
    /// Whether the compiler has merged the function with others that differ only in constants: the name is that of one
    /// of them.
    let isMerged: Bool

    init(module: String, name: String, isMerged: Bool = false) {
        self.module = module
        self.name = name
        self.isMerged = isMerged
    }

    init(mangled: String) {
        if mangled.hasPrefix("_Z") {
            // C++: the runtime, which calls the parts of asynchronous functions.
            self.init(module: "Swift", name: mangled)
        } else {
            self.init(demangled: Symbols.demangled(mangled))
        }
    }

    /// Takes the outermost function apart: closures and local functions are named after it.
    init(demangled: String) {
        var text = Self.withoutPrefixes(Self.withoutConformance(Substring(demangled)))
        let outer = Self.lastIn(text)
        if let outer { text = Self.withoutPrefixes(text[outer...]) }
        var module: Substring?
        // (extension in App):Futures.Future.data(at: …)
        if text.hasPrefix("(extension in "), let end = text.firstIndex(of: ")") {
            module = text[..<end].dropFirst("(extension in ".count)
            text = text[text.index(end, offsetBy: 2)...]
        }
        let path = Self.path(text)
        let dot = path.firstIndex(of: ".")
        self.init(
            module: dot.map { String(module ?? Substring(path[..<$0])) } ?? "",
            name: dot.map { String(path[path.index(after: $0)...]) } ?? (outer == nil ? path : "main"),
            isMerged: demangled.hasPrefix("merged "))
    }

    /// `App.Source.load()` in `protocol witness for App.Source.load() in conformance App.File : App.Source in App`.
    private static func withoutConformance(_ text: Substring) -> Substring {
        let witness = "protocol witness for "
        guard text.hasPrefix(witness), let end = text.firstRange(of: " in conformance ") else { return text }
        return text[..<end.lowerBound].dropFirst(witness.count)
    }

    /// The text behind words that say what the compiler has made of a function, as in
    /// `generic specialization <Swift.Int> of static App.Fetcher.refresh() -> ()`.
    private static func withoutPrefixes(_ text: Substring) -> Substring {
        var text = text
        while true {
            if let word = prefixes.first(where: text.hasPrefix) {
                text.removeFirst(word.count)
            } else if let function = behindPart(text) {
                text = function
            } else if let specialization = specializations.first(where: text.hasPrefix),
                let rest = behindBrackets(text.dropFirst(specialization.count)), rest.hasPrefix(" of ")
            {
                text = rest.dropFirst(" of ".count)
            } else {
                return text
            }
        }
    }

    /// The text behind `(1) await resume partial function for `, if `text` begins so: what an asynchronous function does
    /// after an `await`.
    private static func behindPart(_ text: Substring) -> Substring? {
        guard text.first == "(", let end = text.firstIndex(of: ")") else { return nil }
        let rest = text[end...]
        return parts.first(where: rest.hasPrefix).map { rest.dropFirst($0.count) }
    }

    private static let parts = [
        ") await resume partial function for ", ") suspend resume partial function for ",
    ]
    private static let prefixes = ["partial apply forwarder for ", "merged ", "specialized ", "static "]
    private static let specializations = [
        "generic specialization ", "generic partial specialization ", "generic not re-abstracted specialization ",
        "function signature specialization ",
    ]

    /// The text after the brackets with which `text` begins.
    private static func behindBrackets(_ text: Substring) -> Substring? {
        guard text.first == "<" else { return nil }
        var (depth, last) = (0, Character(" "))
        for index in text.indices {
            if text[index] == "<" { depth += 1 }
            // Not the arrow of a function's type.
            if text[index] == ">", last != "-" { depth -= 1 }
            if depth == 0 { return text[text.index(after: index)...] }
            last = text[index]
        }
        return nil
    }

    /// The types and the function, without generic arguments, in front of the parameters.
    private static func path(_ text: Substring) -> String {
        var (rest, path) = (text, "")
        while let next = rest.first {
            if next == "<" {
                guard let behind = behindBrackets(rest) else { break }
                rest = behind
            } else if next == "(", path.last == ".", let end = rest.firstIndex(of: ")") {
                // A private name: App.Fetcher.(look in _5F3A…)(at: …)
                path += rest[..<end].dropFirst().prefix { $0 != " " }
                rest = rest[rest.index(after: end)...]
                // As in App.refresh@Sendable (Swift.Int) -> ()
            } else if next == "(" || next == " " || next == "@" {
                break
            } else {
                path.append(next)
                rest.removeFirst()
            }
        }
        return path
    }

    /// Where the name of the outermost function starts, if `text` names something within a function: behind the last "
    /// in " that is in no parentheses.
    private static func lastIn(_ text: Substring) -> Substring.Index? {
        var (depth, last) = (0, Substring.Index?.none)
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case "(", "<": depth += 1
            // Not the arrow of a function's type.
            case ")": depth -= 1
            case ">": if index == text.startIndex || text[text.index(before: index)] != "-" { depth -= 1 }
            case " " where depth == 0 && text[index...].hasPrefix(" in "): last = text.index(index, offsetBy: 4)
            default: break
            }
            index = text.index(after: index)
        }
        return last
    }
}
