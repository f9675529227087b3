// Arguments: parses the command line.

import Foundation

/// The parsed command line.
struct Arguments: Equatable, Sendable {
    enum Command: Equatable, Sendable {
        case help
        case version
        /// Checks the embedded site.
        case demonstrate
        /// Serves the embedded site.
        case serve
        case check([Start])
    }

    var command = Command.demonstrate
    var options = Checker.Options()
    var reporting = ReportingOptions()
    /// The targets to check, as written.
    var starts: [String] = []
    /// The files that list more of them, `-` for the standard input.
    var lists: [String] = []
    var files = FileOptions()

    /// Parses the arguments, without the program's name.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - environment: The variables of the environment.
    ///   - config: A config file that is read unless the arguments name another one.
    ///   - read: Returns the text of a file, or of the standard input for `-`.
    init(
        _ arguments: some Sequence<String>, environment: [String: String] = [:], config: String? = nil,
        read: (String) throws -> String = Arguments.contents
    ) throws {
        let words = Array(arguments)
        if let config, !words.contains(where: { $0 == "--config" || $0.hasPrefix("--config=") }) {
            try parse(ConfigFile.arguments(in: try read(config)), read: read)
        }
        try parse(words, read: read)
        if [.help, .version].contains(command) { return }
        for list in lists {
            starts += Self.lines(of: try read(list))
        }
        options.identity.credentials = try Credentials.read(
            file: try files.credentials.map(read), environment: environment)
        if command == .serve {
            guard starts.isEmpty else { throw UsageError.nothingToServe(starts[0]) }
        } else if !starts.isEmpty || !lists.isEmpty {
            let starts = try starts.map { try Start($0, isOffline: options.isOffline) }
            options.identity.sites = Set(
                starts.compactMap { if case .site(let address) = $0 { Origin(address) } else { nil } })
            command = .check(starts)
        }
    }

    private mutating func parse(_ arguments: [String], read: (String) throws -> String) throws {
        var rest = Array(arguments.reversed())
        while let argument = rest.popLast() {
            // `--timeout=5` is the same as `--timeout 5`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let isLong = argument.hasPrefix("--") && parts.count == 2
            let name = isLong ? String(parts[0]) : argument
            if name == "--" {
                starts += rest.reversed()
                return
            }
            if name == "-" {
                lists.append("-")
                continue
            }
            guard name.hasPrefix("-") else {
                starts.append(argument)
                continue
            }
            guard let option = Option.named(name) else { throw UsageError.unknownOption(name) }
            let attached = isLong ? String(parts[1]) : nil
            var value = ""
            if option.value == nil {
                guard attached == nil else { throw UsageError.needlessValue(name) }
            } else {
                guard let text = attached ?? rest.popLast() else { throw UsageError.missingValue(name) }
                value = text
            }
            if name == "--config" {
                try parse(ConfigFile.arguments(in: try read(value)), read: read)
            } else {
                try option.apply(&self, value, name)
            }
        }
    }
}

/// The files that options name.
struct FileOptions: Equatable, Sendable {
    var credentials: String?
    var cache: String?
    var cacheAge = Duration.seconds(24 * 60 * 60)
}

extension Arguments {
    /// Returns the lines of a list, without empty ones and comments.
    static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    /// Returns the text of a file, or of the standard input for `-`.
    static func contents(of path: String) throws -> String {
        if path == "-" {
            return String(decoding: try FileHandle.standardInput.readToEnd() ?? Data(), as: UTF8.self)
        }
        guard let data = FileManager.default.contents(atPath: path) else { throw UsageError.unreadable(path) }
        return String(decoding: data, as: UTF8.self)
    }
}
