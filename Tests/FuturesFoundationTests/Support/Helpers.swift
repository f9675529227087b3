// Helpers: results of futures, gates, and folders that are removed.

import Foundation
import Futures
import FuturesFoundation
import Testing

struct Oops: Error, Equatable {}

extension Future {
    /// Returns the result, and waits for it without blocking a thread of the pool.
    func arrival() async -> Result<Value, any Error> {
        do { return .success(try await value) } catch { return .failure(error) }
    }

    /// Returns the error, and waits for it; nil for a value.
    func failure() async -> (any Error)? {
        if case .failure(let error) = await arrival() { error } else { nil }
    }
}

extension Error {
    /// The reply that the error keeps; nil if it is none of a status or a decoder.
    var response: HTTPResponse? {
        switch self as any Error {
        case HTTPError.status(let response), HTTPError.undecodable(let response, _): response
        default: nil
        }
    }
}

extension HTTPOptions {
    /// Options without a time limit: beside all other tests, a task may wait for its turn for longer than one lasts.
    static var patient: HTTPOptions { patient { _ in } }

    static func patient(_ change: (inout HTTPOptions) -> Void) -> HTTPOptions {
        var options = HTTPOptions()
        options.idleTimeout = nil
        change(&options)
        return options
    }
}

/// Opens once, and blocks threads until then.
final class Gate: Sendable {
    private let promise = Promise<Void>()

    var future: Future<Void> { promise.future }

    func open() { promise.succeed() }

    /// Blocks the thread until the gate is open.
    func pass() { _ = try? promise.future.wait() }
}

/// Waits until `condition` holds. Returns false after ten minutes: other tests may delay a task for long.
func comesTrue(_ condition: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(600)
    while try !condition() {
        if ContinuousClock.now > end { return false }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}

/// A folder that is removed when it is released.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("futures-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func at(_ path: String) -> URL { url.appendingPathComponent(path) }

    /// Creates a file, and the folders above it.
    @discardableResult
    func write(_ text: String, to path: String) throws -> URL {
        let file = at(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    func text(_ path: String) -> String? { try? String(contentsOf: at(path), encoding: .utf8) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

/// Expects that a page of the guides shows a file of the tests without its first line, and returns what it shows.
@discardableResult
func expectShown(_ file: String, in page: String) throws -> Substring {
    let tests = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
    let source = try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
    let guides = tests.appendingPathComponent("../Documentation/Guides").standardized
    let program = source.split(separator: "\n", maxSplits: 1)[1]
    #expect(try String(contentsOf: guides.appendingPathComponent(page), encoding: .utf8).contains(program))
    return program
}

/// The path of a program of the package. It is built into the same folder as the tests.
func builtProgram(_ name: String) -> String {
    let tests =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent(name).path
}
