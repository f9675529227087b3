// awaitResult: a function with a completion, called as if it returned its result. Contract/Waiting.md

import Dispatch
import Futures
import Testing

private struct API: Sendable {
    enum Problem: Error { case notFound }

    func find(_ name: String, completion: @escaping @Sendable (Result<Int, Problem>) -> Void) {
        otherThreads.async { completion(name.isEmpty ? .failure(.notFound) : .success(name.count)) }
    }
}

@Suite struct AwaitResultTests {
    private let api = API()

    @Test func `awaitResult returns the value or throws the function's error`() throws {
        #expect(try awaitResult { finished in api.find("four") { finished($0) } } == 4)
        #expect(throws: API.Problem.notFound) { try awaitResult { finished in api.find("") { finished($0) } } }
        let labelled: Int = try awaitResult(asyncExecutionBlock: { done in api.find("six") { result in done(result) } })
        #expect(labelled == 3)
    }

    @Test func `awaitResult throws after its timeout, with the given identifier`() throws {
        let kept = Shared<(@Sendable (Result<Int, Oops>) -> Void)?>(nil)
        #expect(throws: AwaitError.timedOut(identifier: "zone")) {
            try awaitResult(identifier: "zone", timeout: .milliseconds(1)) { kept.value = $0 }
        }
        let line = #line + 1
        #expect(throws: AwaitError.timedOut(identifier: "FuturesTests/AwaitResultTests.swift:\(line)")) {
            try awaitResult(timeout: .zero) { (finished: @escaping @Sendable (Result<Int, Oops>) -> Void) in
                kept.value = finished
            }
        }
        kept.value?(.success(1))
    }

    @Test func `a completion of awaitResult that is released without a call fails it instead of hanging`() {
        let line: UInt = #line + 1
        #expect(throws: FutureError.abandoned(origin: .init(#fileID, line: line))) {
            try awaitResult { (_: @escaping @Sendable (Result<Int, Oops>) -> Void) in }
        }
    }

    @Test func `an error thrown by awaitResult's block is rethrown`() {
        #expect(throws: Oops(7)) {
            try awaitResult { (_: @escaping @Sendable (Result<Int, API.Problem>) -> Void) in throw Oops(7) }
        }
    }
}
