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
    ///   - read: Returns the text of a file, or of the standard input for `-`.
    init(
        _ arguments: some Sequence<String>, environment: [String: String] = [:],
        read: (String) throws -> String = Arguments.contents
    ) throws {
        try parse(Array(arguments), read: read)
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

/// Users and passwords, which must not be on the command line, where others see them.
enum Credentials {
    /// Returns the credentials by the host, as `user:password`. The name `*` is for the sites that are checked.
    static func read(file: String?, environment: [String: String]) throws -> [String: String] {
        var credentials: [String: String] = [:]
        if let own = environment["LINKCHECK_AUTH"], !own.isEmpty {
            guard own.contains(":") else { throw UsageError.badCredentials("LINKCHECK_AUTH") }
            credentials["*"] = own
        }
        for (index, line) in Arguments.lines(of: file ?? "").enumerated() {
            let words = line.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
            guard words.count == 2, words[1].contains(":") else { throw UsageError.badCredentials("line \(index + 1)") }
            credentials[words[0].lowercased()] = words[1]
        }
        return credentials
    }
}
