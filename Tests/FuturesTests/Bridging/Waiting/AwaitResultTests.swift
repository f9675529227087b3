// awaitResult: a function with a completion, called as if it returned its result. Contract/Waiting.md

import Dispatch
import Futures
import Testing

private struct API: Sendable {
    enum Problem: Error { case notFound }

    func find(_ name: String, completion: @escaping @Sendable (Result<Int, Problem>) -> Void) {
        DispatchQueue.global().async { completion(name.isEmpty ? .failure(.notFound) : .success(name.count)) }
    }
}

@Suite struct AwaitResultTests {
    private let api = API()

    @Test func `awaitResult returns the value or throws the function's error`() throws {
        #expect(try awaitResult { finished in api.find("four") { finished($0) } } == 4)
        #expect(throws: API.Problem.notFound) {
            try awaitResult { finished in api.find("") { finished($0) } }
        }
        let labelled: Int = try awaitResult(asyncExecutionBlock: { done in api.find("six") { result in done(result) } })
        #expect(labelled == 3)
    }

    @Test func `a completion that is called before awaitResult waits is its result`() throws {
        let value = try awaitResult { (finished: @Sendable (Result<Int, Oops>) -> Void) in finished(.success(1)) }
        #expect(value == 1)
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

    @Test func `a function's own timeout error differs from that of awaitResult`() {
        let own = FutureError.timedOut(after: .seconds(5), origin: .init())
        #expect(throws: own) {
            try awaitResult(timeout: .seconds(30)) { (finished: @Sendable (Result<Int, FutureError>) -> Void) in
                finished(.failure(own))
            }
        }
    }

    @Test func `a second or late completion of awaitResult is ignored`() throws {
        let kept = Shared<(@Sendable (Result<Int, Oops>) -> Void)?>(nil)
        let value = try awaitResult { finished in
            kept.value = finished
            finished(.success(1))
            finished(.failure(Oops()))
        }
        kept.value?(.success(3))
        #expect(value == 1)
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

    @Test func `awaitResult retains nothing`() throws {
        let census = Census()
        do {
            let object = census.make()
            let value = try awaitResult { (finished: @Sendable (Result<Int, Oops>) -> Void) in
                finished(.success(object.pass(1)))
            }
            #expect(value == 1)
        }
        #expect(census.alive == 0)
    }

    @Test func `awaitResult knows the completions that from knows`() throws {
        typealias Done = @Sendable (Int?, (any Error)?) -> Void
        #expect(try awaitResult { (done: Done) in done(1, nil) } == 1)
        #expect(throws: Oops(2)) { try awaitResult { (done: Done) in done(1, Oops(2)) } }
        let line = #line + 1
        #expect(throws: FutureError.neitherValueNorError(origin: .init(line: UInt(line)))) {
            try awaitResult { (done: Done) in done(nil, nil) }
        }
        let both: Int = try awaitResult { (done: @Sendable (Int, (any Error)?) -> Void) in done(3, nil) }
        #expect(both == 3)
        #expect(throws: Oops(4)) {
            try awaitResult { (done: @Sendable (Int, (any Error)?) -> Void) in done(3, Oops(4)) }
        }
        try awaitResult { (done: @Sendable ((any Error)?) -> Void) in done(nil) }
        #expect(throws: Oops(5)) { try awaitResult { (done: @Sendable ((any Error)?) -> Void) in done(Oops(5)) } }
        let value: String = try awaitResult { done in done("value") }
        #expect(value == "value")
        try awaitResult { (done: @Sendable () -> Void) in done() }
        #expect(throws: AwaitError.timedOut(identifier: "slow")) {
            try awaitResult(identifier: "slow", timeout: .zero) { (done: @escaping @Sendable () -> Void) in
                DispatchQueue.global().asyncAfter(deadline: .now() + 3600, execute: done)
            }
        }
    }
}
