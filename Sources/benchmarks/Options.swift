// Options: what the command line asks for.

/// What the command line asks for.
struct Options {
    /// Fewer and shorter rounds, and no row that takes seconds.
    var isQuick = false
    /// Whether a missed target makes the exit status 1.
    var checks = false
    /// What a row's name must contain to be measured; nothing selects all.
    var filter = ""

    static let usage = """
        usage: swift run -c release benchmarks [--quick] [--filter TEXT] [--check]

          --quick        fewer rounds, and no row that takes seconds
          --filter TEXT  only the rows with TEXT in their name
          --check        exit with status 1, naming each row that misses its target
        """

    /// Those of this process; says what is wrong and exits with status 2 if they make no sense.
    static func ofThisProcess() -> Options {
        var options = Options()
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            switch word {
            case "--quick": options.isQuick = true
            case "--check": options.checks = true
            case "--filter":
                guard let text = words.popFirst() else { Terminal.fail("--filter needs a text.\n" + usage) }
                options.filter = text
            case "--help", "-h":
                print(usage)
                Terminal.exit(status: 0)
            default: Terminal.fail("There is no option \(word).\n" + usage)
            }
        }
        return options
    }

    /// Whether a row is to be measured.
    func selects(_ row: Row) -> Bool {
        if isQuick, row.isLong { return false }
        return filter.isEmpty || row.name.lowercased().contains(filter.lowercased())
    }

    var effort: Runner.Effort { isQuick ? .quick : .full }
}
