// LinkCheck: the main program. Start reading at `Checker`.

import Foundation

@main
struct LinkCheck {
    @MainActor
    static func main() {
        exit(status(of: CommandLine.arguments.dropFirst()))
    }

    /// Runs the command that the arguments specify, and returns the exit status.
    @MainActor
    private static func status(of arguments: some Sequence<String>) -> Int32 {
        do {
            let arguments = try Arguments(arguments)
            let log = { (line: String) in if arguments.isVerbose { say(line) } }
            switch arguments.command {
            case .help:
                print(Arguments.help)
                return 0
            case .demonstrate:
                return try demonstrate(options: arguments.options, log: log)
            case .serve:
                return try serve()
            case .check(let starts):
                return try check(starts, options: arguments.options, log: log)
            }
        } catch let error as UsageError {
            say("linkcheck: \(error)")
            return 2
        } catch {
            say("linkcheck: \(error)")
            return 1
        }
    }

    private static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
