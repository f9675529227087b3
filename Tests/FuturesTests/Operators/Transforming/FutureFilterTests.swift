// filter, compactMap, unwrap, asVoid. Contract/Operators.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureFilterTests {
    @Test func `a value that is filtered out fails with the given error`() {
        let even: @Sendable (Int) -> Bool = { $0.isMultiple(of: 2) }
        #expect(Future(2).filter(on: .immediate, orThrow: Oops(), even).success == 2)
        #expect(Future(3).filter(on: .immediate, orThrow: Oops(1), even).error as? Oops == Oops(1))
        #expect(Future("2").compactMap(on: .immediate, orThrow: Oops()) { Int($0) }.success == 2)
        #expect(Future("x").compactMap(on: .immediate, orThrow: Oops(2)) { Int($0) }.error as? Oops == Oops(2))
        #expect(Future(Int?.some(2)).unwrap(orThrow: Oops()).success == 2)
        #expect(Future(Int?.none).unwrap(orThrow: Oops(3)).error as? Oops == Oops(3))
    }

    @Test func `errors pass filters`() {
        let failed = Future<Int?>(error: Oops(1))
        let calls = Shared(0)
        let passed: [Future<Int>] = [
            failed.unwrap(orThrow: Oops(2)),
            failed.compactMap(on: .immediate, orThrow: Oops(2)) { _ in calls.increment() },
            failed.map(on: .immediate) { _ in 1 }.filter(on: .immediate, orThrow: Oops(2)) { _ in
                calls.increment() > 0
            },
        ]
        for future in passed { #expect(future.error as? Oops == Oops(1)) }
        #expect(failed.asVoid().error as? Oops == Oops(1))
        #expect(calls.value == 0)
    }

    @Test func `an error thrown by a filter fails the future`() {
        let filtered = Future(1).filter(on: .immediate, orThrow: Oops(1)) { _ in throw Oops(2) }
        let mapped = Future(1).compactMap(on: .immediate, orThrow: Oops(1)) { _ -> Int? in throw Oops(3) }
        #expect(filtered.error as? Oops == Oops(2))
        #expect(mapped.error as? Oops == Oops(3))
    }

    @Test func `asVoid succeeds when its source succeeds`() {
        let promise = Promise<Int>()
        let void = promise.future.asVoid()
        #expect(void.result == nil)
        promise.succeed(1)
        #expect(void.success != nil)
    }

    @Test @MainActor func `a filter is called where it was attached`() {
        var limit = 1
        let filtered = Future(2).filter(orThrow: Oops()) { $0 > limit }
        let mapped = Future(2).compactMap(orThrow: Oops()) { value -> Int? in
            limit += value
            return limit
        }
        #expect(filtered.success == 2)
        #expect(mapped.success == 3)
    }
}
