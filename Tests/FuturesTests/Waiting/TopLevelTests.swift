// Waiting on the main thread. Each test runs the program of `Tests/TopLevel` and reads its output. Contract/Waiting.md

import Foundation
import Testing

@Suite struct TopLevelTests {
    #if os(Linux)
        @Test func `a future that is made at top level has the line of the call`() async throws {
            let chain = try await TopLevel.run("chain").output
            #expect(chain.contains("map at main.swift:") || chain.contains("map near main.swift:"), "\(chain)")
        }
    #endif

    @Test func `at top level, wait serves the main queue`() async throws {
        #expect(try await TopLevel.run("main queue").output == "4\n")
        #expect(try await TopLevel.run("timer").output == "late\n")
        let scenario = "the first of an operation behind and one on the main queue"
        #expect(try await TopLevel.run(scenario).output == "11\n")
    }

    @Test func `at top level, wait serves the main actor`() async throws {
        #expect(try await TopLevel.run("main actor").output == "2\n")
    }

    @Test func `at top level, awaitResult serves the main actor`() async throws {
        #expect(try await TopLevel.run("awaitResult").output == "2\n")
    }

    @Test func `in a main-queue block that a top-level wait serves, wait returns or traps as elsewhere`() async throws {
        #expect(try await TopLevel.run("nested, not needed").output == "3\n")
        for scenario in ["nested, needed", "nested, needed by the main actor"] {
            let (_, errors, isSuccess) = try await TopLevel.run(scenario)
            #expect(!isSuccess)
            #expect(errors.contains("would always time out") && errors.contains("main"))
        }
    }
}

/// The program of `Tests/TopLevel`, which the package manager builds together with the tests.
private enum TopLevel {
    static func run(_ scenario: String) async throws -> (output: String, errors: String, isSuccess: Bool) {
        try await onOwnThread { try end(of: scenario) }
    }

    private static func end(of scenario: String) throws -> (output: String, errors: String, isSuccess: Bool) {
        let process = Process()
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("TopLevel")
        process.arguments = [scenario]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            String(decoding: said, as: UTF8.self), String(decoding: complained, as: UTF8.self),
            process.terminationReason == .exit && process.terminationStatus == 0
        )
    }
}
