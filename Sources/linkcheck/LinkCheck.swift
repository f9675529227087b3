// LinkCheck: the main program. Start reading at `Checker`.

import Foundation

@main
struct LinkCheck {
    static let version = "0.1"

    @MainActor
    static func main() {
        Output.prepare()
        exit(status(of: CommandLine.arguments.dropFirst()))
    }

    /// Runs the command that the arguments specify, and returns the exit status.
    @MainActor
    private static func status(of arguments: some Sequence<String>) -> Int32 {
        do {
            let words = Array(arguments)
            if words.first == Gateway.argument {
                return GatewayCommand.run(idleTimeout: words.last.flatMap(Int.init) ?? 10)
            }
            let config = FileManager.default.fileExists(atPath: ".linkcheck") ? ".linkcheck" : nil
            let arguments = try Arguments(
                words, environment: ProcessInfo.processInfo.environment, config: config)
            switch arguments.command {
            case .help: try Output.standard.write(line: Arguments.help)
            case .version: try Output.standard.write(line: "linkcheck \(version)")
            case .demonstrate: return try demonstrate(arguments)
            case .serve: return try serve()
            case .check(let starts): return try check(starts, arguments)
            }
            return 0
        } catch let error as UsageError {
            say("linkcheck: \(error)")
            return 2
        } catch {
            say("linkcheck: \(error)")
            return 3
        }
    }

    /// Writes a line to the standard error. There is no place to report that this fails.
    static func say(_ line: String) {
        try? Output.standardError.write(line: line)
    }
}
