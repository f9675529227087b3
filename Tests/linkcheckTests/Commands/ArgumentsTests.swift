// Arguments: the command line.

import Foundation
import Testing

@testable import linkcheck

struct ArgumentsTests {
    @Test func `without arguments the embedded site is checked`() throws {
        let arguments = try Arguments([])
        #expect(arguments.command == .demonstrate)
        #expect(arguments.options == Checker.Options())
        #expect(!arguments.isVerbose)
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
        #expect(arguments.isVerbose)
        #expect(arguments.command == .check([.site(URL(string: "http://a.example/")!)]))
    }

    @Test func `help has precedence over all other arguments`() throws {
        #expect(try Arguments(["--serve", "--help", "http://a.example/"]).command == .help)
        #expect(try Arguments(["-h"]).command == .help)
        #expect(try Arguments(["--serve"]).command == .serve)
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
            (["http://[x/"], .badAddress("http://[x/")),
            (["ftp://a.example/"], .unknownScheme("ftp://a.example/")),
            (["--offline", "http://a.example/"], .offlineAddress("http://a.example/")),
        ] as [([String], UsageError)])
    func `a mistake is reported`(arguments: [String], expected: UsageError) {
        #expect(throws: expected) { try Arguments(arguments) }
    }

    @Test(arguments: [
        "-n 0", "-n x", "--in-flight -1", "--retries 1.5", "--timeout 0", "--timeout nan", "--timeout 1e9",
    ])
    func `a value out of range is a mistake`(line: String) {
        #expect(throws: UsageError.self) { try Arguments(line.split(separator: " ").map(String.init)) }
    }

    @Test func `the help names every option and every exit status`() {
        for text in ["--per-host", "--in-flight", "--timeout", "--retries", "--offline", "--serve", "--verbose", "130"]
        {
            #expect(Arguments.help.contains(text))
        }
    }
}
