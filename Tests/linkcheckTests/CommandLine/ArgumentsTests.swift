// Arguments: the command line.

import Foundation
import Testing

@testable import linkcheck

struct ArgumentsTests {
    @Test func `without arguments the embedded site is checked`() throws {
        let arguments = try Arguments([])
        #expect(arguments.command == .demonstrate)
        #expect(arguments.options == Checker.Options())
        #expect(arguments.reporting == ReportingOptions())
    }

    @Test func `an address is a site to check`() throws {
        let arguments = try Arguments(["HTTPS://Example.org:443"])
        #expect(arguments.command == .check([.site(URL(string: "https://example.org/")!)]))
    }

    @Test func `options may come first, last and with an equals sign`() throws {
        let arguments = try Arguments([
            "-n", "2", "http://a.example/", "--in-flight=5", "--timeout", "2.5", "--retries=0", "-v",
        ])
        #expect(arguments.options.limits.perHost == 2)
        #expect(arguments.options.limits.inFlight == 5)
        #expect(arguments.options.limits.timeout == .seconds(2.5))
        #expect(arguments.options.limits.retries == 0)
        #expect(arguments.reporting.isVerbose)
        #expect(arguments.command == .check([.site(URL(string: "http://a.example/")!)]))
    }

    @Test func `files and folders are distinguished`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "linkcheck-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a.md").path(percentEncoded: false)
        let picture = folder.appending(path: "a.png").path(percentEncoded: false)
        for path in [file, picture] { try Data().write(to: URL(filePath: path)) }

        let path = folder.path(percentEncoded: false)
        #expect(try Arguments([file, path]).command == .check([.file(.file(file)), .folder(.file(path))]))
        #expect(throws: UsageError.noDocument(picture)) { try Arguments([picture]) }
        #expect(throws: UsageError.noSuchFile(path + "x")) { try Arguments([path + "x"]) }
    }

    @Test(
        arguments: [
            (["--nonsense"], UsageError.unknownOption("--nonsense")),
            (["-x"], .unknownOption("-x")),
            (["--retries"], .missingValue("--retries")),
            (["--help=yes"], .needlessValue("--help")),
            (["--serve", "http://a.example/"], .nothingToServe("http://a.example/")),
            (["nothing-here.md"], .noSuchFile("nothing-here.md")),
            ([""], .noSuchFile("")),
            (["--", "--help"], .noSuchFile("--help")),
            (["http://"], .badAddress("http://")),
            (["http://user:secret@a.example/"], .passwordInAddress),
            (["--config", "/nowhere"], .unreadable("/nowhere")),
            (["http://[x/"], .badAddress("http://[x/")),
            (["ftp://a.example/"], .unknownScheme("ftp://a.example/")),
            (["--offline", "http://a.example/"], .offlineAddress("http://a.example/")),
        ] as [([String], UsageError)])
    func `a mistake is reported`(arguments: [String], expected: UsageError) {
        #expect(throws: expected) { try Arguments(arguments) }
    }

    @Test func `the help names every option and every exit status`() {
        for option in Option.all { #expect(Arguments.help.contains("--\(option.name)")) }
        for status in ["0 ", "1 ", "2 ", "3 ", "129", "130", "143"] { #expect(Arguments.help.contains("  \(status)")) }
        #expect(Arguments.help.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }

    @Test func `a config file has the options of the command line, which may change them`() throws {
        let config = """
            # comment
            timeout 5
            exclude = ^https://a b/
            quiet

            """
        let arguments = try Arguments(["--config", "x", "--timeout=7", "http://a.example/"]) { _ in config }
        #expect(arguments.options.limits.timeout == .seconds(7))
        #expect(arguments.options.filter.exclude == ["^https://a b/"])
        #expect(arguments.reporting.isQuiet)
        #expect(throws: UsageError.unknownOption("--nonsense")) {
            try Arguments(["--config", "x"]) { _ in "nonsense" }
        }
    }

    @Test func `lists are read from files and from the input`() throws {
        let texts = ["-": "http://a.example/\n\n# comment\nhttp://b.example/ \n", "x": "http://c.example/"]
        let arguments = try Arguments(["-", "--list", "x"]) { texts[$0]! }
        let addresses = ["http://a.example/", "http://b.example/", "http://c.example/"]
        #expect(arguments.command == .check(addresses.map { .site(URL(string: $0)!) }))
        #expect(try Arguments(["-"]) { _ in "" }.command == .check([]))
        #expect(arguments.options.identity.sites == Set(addresses.map { Origin(URL(string: $0)!)! }))
    }

    @Test func `credentials come from the environment and from a file`() throws {
        let arguments = try Arguments(
            ["--auth-file", "x", "http://a.example/"], environment: ["LINKCHECK_AUTH": "me:word"]
        ) { _ in "B.example  you:a b:c\n" }
        #expect(arguments.options.identity.credentials == ["*": "me:word", "b.example": "you:a b:c"])
        #expect(throws: UsageError.badCredentials("line 1")) { try Arguments(["--auth-file", "x"]) { _ in "a b" } }
    }

    @Test func `values are parsed`() throws {
        let arguments = try Arguments([
            "--accept", "200-299,403", "--max-body=2M", "--header", "A-B: c:d", "--format", "junit", "--depth", "0",
        ])
        #expect(arguments.options.limits.accepted == [200...299, 403...403])
        #expect(arguments.options.limits.maxBody == 2_000_000)
        #expect(arguments.options.identity.siteFields == [HeaderField(name: "A-B", value: "c:d")])
        #expect(arguments.reporting.format == .junit)
        #expect(arguments.options.maxDepth == 0)
    }

    @Test(arguments: [
        ["--accept", "99"], ["--accept", "300-200"], ["--accept", ""], ["--max-body", "0"], ["--max-body", "2T"],
        ["--header", "a"], ["--header", "a: b\r\nc: d"], ["--include", "("], ["--include", ""], ["--format", "pdf"],
        ["--rate", "0"], ["--color", "red"], ["--definitions", "x"], ["--published-at", "docs/"],
        ["--published-at", "https://a.example/#x"], ["--user-agent", "a\nb"],
    ])
    func `a malformed value is a mistake`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Arguments(arguments) }
    }

    @Test func `a config file that is found counts unless another one is named`() throws {
        let texts = [".linkcheck": "quiet\ndepth 1", "x": "offline"]
        let arguments = { (words: [String]) in try Arguments(words, config: ".linkcheck") { texts[$0]! } }
        #expect(try arguments(["--depth", "2"]).options.maxDepth == 2)
        #expect(try arguments([]).reporting.isQuiet)
        for words in [["--config", "x"], ["--config=x"]] {
            #expect(try arguments(words).options.isOffline)
            #expect(try !arguments(words).reporting.isQuiet)
        }
    }
}
