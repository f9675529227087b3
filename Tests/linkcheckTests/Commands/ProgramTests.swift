// The program: signals, and outputs that cannot be written.

import Foundation
import Testing

@testable import linkcheck

struct ProgramTests {
    @Test(arguments: [(SIGINT, "Ctrl-C"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")])
    func `a signal gives the report of what has been found`(number: Int32, cause: String) async throws {
        let server = try HostileServer(["/": [.page("<a href=/missing>\n<a href=/slow.html>")], "/slow.html": [.hold]])
        defer { server.stop() }
        let (line, result) = try await Program.onOwnThread {
            let program = try Program([server.address.absoluteString, "--timeout", "3000", "--total-timeout", "3000"])
            let line = program.nextErrorLine()
            program.interrupt(number)
            return (line, try program.result())
        }
        #expect(line == "broken: \(server.address)missing: 404 Not Found (\(server.address):1)")
        #expect(result.output.contains("1 broken link:"), "\(result)")
        #expect(result.output.hasSuffix("Stopped by \(cause): there may be more.\n"))
        #expect(result.status == 1)
    }

    @Test func `a diagnosed run writes what is pending and the wait graph, on a signal and at the end`() async throws {
        let folder = try TemporaryFolder(["a": ""])
        let graph = folder.path + "/waits.dot"
        let server = try HostileServer(["/": [.page("<a href=/missing>\n<a href=/slow.html>")], "/slow.html": [.hold]])
        defer { server.stop() }
        let (first, report, result) = try await Program.onOwnThread {
            let program = try Program([
                server.address.absoluteString, "--timeout", "3000", "--total-timeout", "3000", "--diagnose",
                "--wait-graph", graph,
            ])
            let first = program.nextErrorLine()
            program.interrupt(SIGQUIT)
            // On a busy machine, writing the graph may block the main thread for so long that it is an event of its own.
            var report = program.nextErrorLine()
            while report.contains(" has been blocked for ") { report = program.nextErrorLine() }
            program.interrupt(SIGTERM)
            return (first, report, try program.result())
        }
        #expect(first.hasPrefix("broken: "))
        #expect(report.contains(" pending, the oldest for "))
        #expect(result.status == 1)
        #expect(result.errors.contains("KeyedFutureQueue made at linkcheck/Fetcher.swift:"), "\(result)")
        #expect(try String(contentsOfFile: graph, encoding: .utf8).contains("digraph futures {"))
    }

    @Test(arguments: [
        ("exec \"$@\" >&-", "Bad file descriptor"), ("exec \"$@\" > /dev/full", "No space left on device"),
    ])
    func `an output that cannot be written is an error`(shell: String, reason: String) async throws {
        guard !shell.contains("/dev/full") || FileManager.default.fileExists(atPath: "/dev/full") else { return }
        for arguments in [["--help"], []] {
            let result = try await Program.onOwnThread { try Program(arguments, shell: shell).result() }
            #expect(result.status == 3)
            #expect(result.errors == "linkcheck: cannot write to the standard output: \(reason)\n")
        }
    }

    @Test func `a hostile server does not fill the memory of the program`() async throws {
        let noise = Bytes(repeating: 0x61, count: 64 * 1024)
        var scripts: [String: [HostileServer.Step]] = [:]
        for index in 0..<8 {
            scripts["/bomb\(index)"] = [.head("Content-Encoding: gzip\r\n"), .send(GzipBomb.large)]
            scripts["/endless\(index)"] = [.head(""), .endless(noise)]
        }
        scripts["/hold"] = [.hold]
        scripts["/"] = [.page(scripts.keys.map { "<a href='\($0)'>" }.joined())]
        let server = try HostileServer(scripts)
        defer { server.stop() }
        let (lines, memory, result) = try await Program.onOwnThread {
            let program = try Program([
                server.address.absoluteString, "--retries", "0", "--timeout", "3000", "--total-timeout", "3000",
            ])
            let lines = (0..<16).map { _ in program.nextErrorLine() }
            let memory = try? program.peakMemory()
            program.interrupt(SIGTERM)
            return (lines, memory, try program.result())
        }
        for line in lines { #expect(line.contains("is larger than 10000000 bytes")) }
        #if os(Linux)
            #expect(try #require(memory) < 200_000)
        #else
            #expect(memory == nil)
        #endif
        #expect(result.output.contains("16 broken links:"))
    }
}
