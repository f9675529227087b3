// from(callback:): futures of functions with completions. Contract/Async.md

import Dispatch
import Futures
import Testing

/// Functions in the style of other libraries.
private struct Service: Sendable {
    func find(_ name: String, completion: @escaping @Sendable (Result<Int, Oops>) -> Void) {
        otherThreads.async { completion(name.isEmpty ? .failure(Oops(1)) : .success(name.count)) }
    }

    func load(_ value: Int?, _ error: Oops?, completion: @escaping @Sendable (Int?, (any Error)?) -> Void) {
        otherThreads.async { completion(value, error) }
    }

    func save(_ error: Oops?, completion: @escaping @Sendable ((any Error)?) -> Void) { completion(error) }
}

@Suite struct FutureFromTests {
    private let service = Service()

    @Test func `a completion with a Result completes the future with it`() async throws {
        let found = Future.from { completion in service.find("name", completion: completion) }
        let failed = Future<Int>.from { completion in service.find("") { completion($0) } }
        #expect(try await found.value == 4)
        await #expect(throws: Oops(1)) { try await failed.value }
    }

    @Test(arguments: [(1, nil), (nil, 2), (3, 4)] as [(Int?, Int?)])
    func `a completion with a value or an error completes the future with either`(_ value: Int?, _ number: Int?) async {
        let error = number.map { Oops($0) }
        let future = Future<Int>.from { completion in service.load(value, error, completion: completion) }
        let result = await future.arrival()
        if let error { #expect(throws: error) { try result.get() } } else { #expect(try! result.get() == value) }
    }

    @Test func `a completion with neither a value nor an error fails the future and names the line`() async {
        let line: UInt = #line + 1
        let future = Future<Int>.from { completion in service.load(nil, nil, completion: completion) }
        let result = await future.arrival()
        let expected = FutureError.neitherValueNorError(origin: .init(#fileID, line: line))
        #expect(throws: expected) { try result.get() }
        #expect("\(expected)".contains("FutureFromTests.swift:\(line)"))
    }

    @Test func `a completion with an optional error completes the future with Void or the error`() {
        let saved = Future<Void>.from { completion in service.save(nil, completion: completion) }
        let failed = Future<Void>.from { completion in service.save(Oops(3)) { completion($0) } }
        #expect(saved.success != nil && failed.error as? Oops == Oops(3))
    }

    @Test func `a function that throws, or releases its completion without a call, fails the future`() {
        let thrown = Future<Int>.from { (_: @escaping @Sendable (Result<Int, Oops>) -> Void) in throw Oops(4) }
        #expect(thrown.error as? Oops == Oops(4))
        let line: UInt = #line + 1
        let dropped = Future<Int>.from { (_: @escaping @Sendable (Result<Int, Oops>) -> Void) in }
        #expect(dropped.error as? FutureError == .abandoned(origin: .init(#fileID, line: line)))
    }
}
