// first, firstSuccess: the first values of several futures. Contract/Combining.md

import Futures
import Testing

@Suite struct FirstTests {
    @Test func `firstSuccess has the first value, ignores earlier failures and cancels the other futures`() {
        let gates = (0..<4).map { _ in Promise<Int>() }
        let first = Future.firstSuccess(of: gates.map(\.future))
        gates[1].fail(Oops(1))
        gates[0].fail(Oops(0))
        #expect(first.result == nil)
        gates[3].succeed(3)
        #expect(first.success == 3)
        #expect(gates[2].future.isCancelled)
    }

    @Test func `firstSuccess fails when all futures have failed, with all errors in the order of the futures`() throws {
        let gates = (0..<3).map { _ in Promise<Int>() }
        let first = Future.firstSuccess(of: gates.map(\.future))
        for index in [2, 0, 1] {
            #expect(first.result == nil)
            gates[index].fail(Oops(index))
        }
        let error = try #require(first.error as? TooFewSuccessesError)
        #expect(error.errors as? [Oops] == [Oops(0), Oops(1), Oops(2)])
        #expect((error.wanted, error.count) == (1, 3))
    }

    @Test func `first has the first values in the order of completion and cancels the other futures`() {
        let gates = (0..<5).map { _ in Promise<Int>() }
        let two = Future.first(2, of: gates.map(\.future))
        gates[1].fail(Oops(1))
        gates[4].succeed(4)
        #expect(two.result == nil)
        gates[0].succeed(0)
        #expect(two.success == [4, 0])
        #expect(gates[2].future.isCancelled && gates[3].future.isCancelled)
    }

    @Test func `first fails as soon as too many futures have failed, and cancels the others`() throws {
        let gates = (0..<5).map { _ in Promise<Int>() }
        let three = Future.first(3, of: gates.map(\.future))
        for index in [4, 1] { gates[index].fail(Oops(index)) }
        gates[0].succeed(0)
        #expect(three.result == nil)
        gates[3].fail(Oops(3))
        let error = try #require(three.error as? TooFewSuccessesError)
        #expect(error.errors as? [Oops] == [Oops(1), Oops(3), Oops(4)])
        #expect("\(error)".hasPrefix("3 of 5 futures had to succeed, but 3 failed: Oops"))
        #expect(gates[2].future.isCancelled)
    }

    @Test func `first of more values than futures fails immediately, and of no values succeeds immediately`() throws {
        let promise = Promise<Int>()
        let error = try #require(Future.first(2, of: [promise.future]).error as? TooFewSuccessesError)
        #expect(error.errors.isEmpty)
        #expect("\(error)" == "2 futures had to succeed, but there were 1.")
        #expect(promise.future.isCancelled)

        let other = Promise<Int>()
        #expect(Future.first(0, of: [other.future]).success == [])
        #expect(other.future.isCancelled)
    }
}
