// Options: the command-line options.

/// The command-line options.
struct Options: Equatable {
    /// Whether to measure in fewer and shorter rounds, and to omit rows that take seconds.
    var isQuick = false
    /// Whether to repeat measurements that are in doubt, and to exit with status 1 if a target is missed.
    var checks = false
    /// The name of the row to measure, or else text that the names must contain, ignoring case. Empty selects all.
    var filter = ""
    /// Whether to list the names of the rows instead of measuring them.
    var lists = false
    /// Whether to draw the plots into `Documentation/Guides`.
    var plots = false
    /// The file to write the measurements to as JSON.
    var json: String?
    /// The file to insert the tables into as Markdown.
    var markdown: String?
    /// The number of passes to run without measuring, for use under other tools such as valgrind.
    var passes: Int?
    /// The side whose workloads run if `passes` is set. All run if it is nil.
    var side: String?

    static let usage = """
        usage: swift run -c release benchmarks [options]

          --quick          fewer rounds, and no row that takes seconds
          --filter TEXT    only the row with this name, or else the rows with TEXT in their name
          --check          exit with status 1, naming each row that misses its target; what misses
                           is measured again, up to two more times
          --json FILE      write what was measured as JSON
          --markdown FILE  put the table into FILE, between its lines <!-- benchmarks --> and
                           <!-- /benchmarks -->; or make FILE
          --plot           draw growth.svg, comparison.svg and request.svg in Documentation/Guides
          --list           only list the rows
          --passes N       do the workloads N times and measure nothing: for valgrind
          --side NAME      who does them then: Futures, CB, RD, SC, CB+remove, ...; all, if it is not given
        """
}

/// An invalid command line.
struct UsageError: Error, Equatable {
    let text: String
}

extension Options {
    /// Parses the arguments, without the program's name. Returns nil if they ask for help.
    init?(_ arguments: some Sequence<String>) throws(UsageError) {
        var words = Array(arguments)[...]
        func value(_ option: String, _ what: String) throws(UsageError) -> String {
            guard let value = words.popFirst() else { throw UsageError(text: "\(option) needs \(what).") }
            return value
        }
        while let word = words.popFirst() {
            switch word {
            case "--quick": isQuick = true
            case "--check": checks = true
            case "--list": lists = true
            case "--plot": plots = true
            case "--filter": filter = try value(word, "a text")
            case "--json": json = try value(word, "a file")
            case "--markdown": markdown = try value(word, "a file")
            case "--side": side = try value(word, "a name")
            case "--passes":
                let text = try value(word, "a number")
                guard let number = Int(text), number > 0 else {
                    throw UsageError(text: "--passes needs a number, and \(text) is none.")
                }
                passes = number
            case "--help", "-h": return nil
            default: throw UsageError(text: "There is no option \(word).")
            }
        }
    }

    /// Returns the chapters with only the rows to be measured, omitting chapters without any.
    func selected(from chapters: [Chapter]) -> [Chapter] {
        let isName = chapters.contains { $0.rows.contains { $0.name == filter } }
        return chapters.map { chapter in
            Chapter(chapter.title, chapter.rows.filter { isName ? $0.name == filter : selects($0) })
        }.filter { !$0.rows.isEmpty }
    }

    private func selects(_ row: Row) -> Bool {
        if isQuick, row.isLong { return false }
        return filter.isEmpty || row.name.lowercased().contains(filter.lowercased())
    }

    var effort: Runner.Effort { isQuick ? .quick : .full }
}
