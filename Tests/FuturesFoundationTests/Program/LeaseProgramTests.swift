// Several processes that take leases of the same names, and are killed at any moment.

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct LeaseProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func command(_ arguments: String...) -> Command {
        Command(builtProgram("FoundationLeases"), [folder.url.path, folder.at("log").path] + arguments)
    }

    /// A process that takes turns. When it has written `lines` lines, it waits at most two milliseconds, and kills itself.
    private func run(lines: Int) -> Future<CommandOutput> {
        var command = command("\(Int.max)", "\(lines)", "\(Int.random(in: 0...2000))")
        command.acceptsStatus = { $0 == .signaled(SIGKILL) }
        return command.run()
    }

    @Test func `of processes that are killed at any moment, one has a lease at a time, and tokens grow`() async throws {
        try await (0..<60).mapToFuture(on: .background, maxConcurrentCount: 3) { [self] number in
            run(lines: .random(in: 0...(number % 12 == 0 ? 200 : 40)))
        }.asVoid().value
        // What they have left excludes no process.
        try await command("9").run().asVoid().value

        var last: [Substring: UInt64] = [:]
        var (begun, ended) = (0, 0)
        // A kill may cut a line short. So only a line with an end is one.
        for line in (folder.text("log") ?? "").split(separator: "\n") where line.hasSuffix(" .") {
            let words = line.split(separator: " ")
            let (key, token) = (words[1], try #require(UInt64(words[2])))
            if words[0] == "begin" {
                #expect(token > last[key, default: 0], "\(line)")
                (last[key], begun) = (token, begun + 1)
            } else {
                // Another process has begun since, though this one had the lease.
                #expect(token == last[key], "\(line)")
                ended += 1
            }
        }
        #expect(last.count == 3 && ended > 100 && begun >= ended, "\(begun) begun, \(ended) ended")
    }

    @Test func `the guide shows the leases that are tested`() throws {
        try expectShown("FoundationLeases/FileLease.swift", in: "Leases.md")
    }
}
