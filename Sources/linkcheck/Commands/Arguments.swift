// Arguments: parses the command line.

import Foundation

/// The parsed command line.
struct Arguments: Equatable, Sendable {
    enum Command: Equatable, Sendable {
        case help
        /// Checks the embedded site.
        case demonstrate
        /// Serves the embedded site.
        case serve
        case check([Start])
    }

    var command = Command.demonstrate
    var options = Checker.Options()
    var isVerbose = false

    static let help = """
        usage: linkcheck [options] [<url> | <file> | <folder>]...

        Checks every link of a web site, from the page at <url> on, or of the Markdown and HTML
        documents given, and shows the broken ones. With nothing to check it starts a small
        site of its own and checks that.

          -n, --per-host <count>   requests at a time to one host (default 4)
              --in-flight <count>  requests at a time in all (16)
              --timeout <seconds>  patience with a request (10)
              --retries <count>    how often what fails by chance is tried again (3)
              --offline            check documents only against each other, and not the web
              --serve              serve the embedded site until Ctrl-C, to look at it
          -v, --verbose            say what happens, on the standard error
          -h, --help               show this

        Exit status: 0 no broken links, 1 broken links, 2 bad usage, 3 the report could not be
        written; stopped before a broken link was found by Ctrl-C 130, SIGTERM 143, SIGHUP 129.
        """

    /// Parses the arguments, without the program's name.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments.reversed())
        var starts: [String] = []
        var wantsHelp = false
        var wantsServer = false
        while let argument = rest.popLast() {
            // `--timeout=5` is the same as `--timeout 5`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let isLong = argument.hasPrefix("--") && parts.count == 2
            let name = isLong ? String(parts[0]) : argument
            var attached = isLong ? String(parts[1]) : nil
            let value = { () throws(UsageError) -> String in
                defer { attached = nil }
                guard let value = attached ?? rest.popLast() else { throw .missingValue(name) }
                return value
            }
            switch name {
            case "-h", "--help": wantsHelp = true
            case "-v", "--verbose": isVerbose = true
            case "--offline": options.isOffline = true
            case "--serve": wantsServer = true
            case "-n", "--per-host": options.limits.perHost = try Self.count(try value(), for: name, from: 1)
            case "--in-flight": options.limits.inFlight = try Self.count(try value(), for: name, from: 1)
            case "--retries": options.limits.retries = try Self.count(try value(), for: name, from: 0)
            case "--timeout": options.limits.timeout = try Self.seconds(try value(), for: name)
            case "--":
                starts += rest.reversed()
                rest = []
            case _ where name.hasPrefix("-") && name != "-": throw .unknownOption(name)
            default: starts.append(argument)
            }
            if attached != nil { throw .needlessValue(name) }
        }
        if wantsHelp {
            command = .help
        } else if wantsServer {
            guard starts.isEmpty else { throw .nothingToServe(starts[0]) }
            command = .serve
        } else if !starts.isEmpty {
            let isOffline = options.isOffline
            command = .check(
                try starts.map { (text) throws(UsageError) in try Start(text, isOffline: isOffline) })
        }
    }
}

extension Arguments {
    private static func count(_ text: String, for option: String, from minimum: Int) throws(UsageError) -> Int {
        guard let count = Int(text), (minimum...10_000).contains(count) else {
            throw .badValue(text, for: option, "a whole number from \(minimum) to 10000")
        }
        return count
    }

    private static func seconds(_ text: String, for option: String) throws(UsageError) -> Duration {
        guard let seconds = Double(text), (0.001...86_400).contains(seconds) else {
            throw .badValue(text, for: option, "a number of seconds, up to a day")
        }
        return .seconds(seconds)
    }
}
