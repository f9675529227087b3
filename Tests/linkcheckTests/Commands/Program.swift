// Program: runs linkcheck as a process.

import Foundation
import Futures

@testable import linkcheck

/// A run of the program that is built beside the tests.
final class Program {
    private let process = Process(), input = Pipe(), output = Pipe(), errors = Pipe()

    /// Returns what `body` returns on a thread of its own, where it may wait for a program.
    static func onOwnThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        let promise = Promise<T>()
        Thread.detachNewThread { promise.complete(Swift.Result { try body() }) }
        return try await promise.future.value
    }

    /// - Parameter shell: A shell's command in which `"$@"` is the program with its arguments.
    init(_ arguments: [String], shell: String = "exec \"$@\"", environment: [String: String] = [:]) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", shell, "sh", GatewayTests.program.path()] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    struct Result: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    func interrupt(_ number: Int32) { kill(process.processIdentifier, number) }

    /// The largest amount of memory that the process has used so far, in kilobytes.
    func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    func nextErrorLine() -> String {
        var line = Bytes()
        var byte: UInt8 = 0
        while read(errors.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != "\n" { line.append(byte) }
        return line.text(line.indices)
    }

    /// Returns the exit status and the output of the program when it has ended.
    func result() throws -> Result {
        try input.fileHandleForWriting.close()
        let output = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let errors = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: output, errors: errors)
    }
}
