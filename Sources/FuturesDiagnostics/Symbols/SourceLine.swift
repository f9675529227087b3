// SourceLine: a line of a source file.

/// A line of a source file that was found for a call.
struct SourceLine: Hashable, Sendable {
    /// The name of the file, without its folder.
    let file: String
    let line: Int
    /// Whether the call is in this line, and not in one behind it: an optimizing compiler moves code.
    let isExact: Bool

    /// The line in words, as in `at App/Fetch.swift:12`.
    func words(in module: String) -> String {
        "\(isExact ? "at" : "near") \(module.isEmpty ? "" : "\(module)/")\(file):\(line)"
    }
}
