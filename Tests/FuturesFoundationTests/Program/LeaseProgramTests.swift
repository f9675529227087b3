// Several processes that take leases of the same names, and are killed at any moment. Contract/Files.md

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct LeaseProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(turns: Int) -> Future<CommandOutput> {
        var command = Command(builtProgram("FoundationLeases"), [folder.url.path, folder.at("log").path, "\(turns)"])
        command.gracePeriod = .zero
        return command.run()
    }

    @Test func `of several processes that are killed at any moment, one has a lease at a time, and tokens grow`()
        async throws
    {
        var processes = (0..<3).map { _ in run(turns: .max) }
        for number in 0..<60 {
            // Each lives for a few turns, or does not come so far.
            let wait = Duration.milliseconds(number % 12 == 0 ? 60 : Int.random(in: 0...25))
            try await Future().delay(by: wait, on: .background).value
            processes[number % 3].cancel()
            processes[number % 3] = run(turns: .max)
        }
        for process in processes { process.cancel() }
        // What they have left excludes no process.
        try await run(turns: 9).asVoid().value

        var last: [Substring: UInt64] = [:]
        var (begun, ended) = (0, 0)
        for line in (folder.text("log") ?? "").split(separator: "\n") {
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
}
