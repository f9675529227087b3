// Help: the text of --help, made from the options.

extension Arguments {
    static var help: String {
        var text = """
            usage: linkcheck [options] [<address> | <file> | <folder> | -]...

            Checks every link of a web site, from the page at <address> on, or of the Markdown and HTML
            documents given, and reports the broken ones. - reads a list of them from the input.
            Without any, linkcheck checks a small site of its own.

            """
        let width = Option.all.map { signature($0).count }.max() ?? 0
        for (title, options) in Option.groups {
            text += "\n\(title):\n"
            for option in options {
                let signature = signature(option)
                text += "  \(signature)\(String(repeating: " ", count: width - signature.count))  \(option.help)\n"
            }
        }
        text += """

            Exit status:
              0    no broken links
              1    broken links
              2    the command line is wrong
              3    the report or the cache could not be written, or another failure of this machine
              129  stopped by SIGHUP before a broken link was found
              130  stopped by Ctrl-C before a broken link was found
              143  stopped by SIGTERM before a broken link was found
            """
        return text
    }

    private static func signature(_ option: Option) -> String {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return letter + "--" + option.name + (option.value.map { " <\($0)>" } ?? "")
    }
}
