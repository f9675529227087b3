// ConfigFile: options in a file.

/// A file of options: each line is an option without its hyphens, and its value.
enum ConfigFile {
    static func arguments(in text: String) -> [String] {
        Arguments.lines(of: text).map { line in
            let end = line.firstIndex { $0.isWhitespace || $0 == "=" } ?? line.endIndex
            let value = line[end...].drop { $0.isWhitespace || $0 == "=" }
            let name = "--" + line[..<end]
            return value.isEmpty ? name : "\(name)=\(value)"
        }
    }
}
