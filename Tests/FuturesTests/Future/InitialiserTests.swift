// The initializers: what each call site must resolve to. That this compiles is most of the test; call sites in
// top-level code are in Tests/TopLevel, those that must not compile in Tests/Rejected.

import Futures
import Testing

@Suite struct InitialiserTests {
    @Test func `in plain code each call site resolves as intended`() {
        let value: Future<Int> = Future(1)
        let inferred = Future("inferred")
        let nothing: Future<Void> = Future()
        let void = Future<Void>()
        let error: Future<Int> = Future(error: Oops())
        let result: Future<Int> = Future(result: .success(1))
        let optional: Future<Int?> = Future(nil)
        let list: Future<[Int]> = Future([])
        let nested: Future<Future<Int>> = Future(Future(1))
        let function: @Sendable () -> Int = { 1 }
        let ofFunction: Future<@Sendable () -> Int> = Future(function)
        let never: Future<Int> = .never
        #expect(value.success == 1 && inferred.success == "inferred" && nothing.isCompleted && void.isCompleted)
        #expect(error.error is Oops && result.success == 1 && optional.isCompleted && list.success == [])
        #expect(nested.success?.success == 1 && ofFunction.success?() == 1 && !never.isCompleted)
    }

    @Test func `closures with a completion resolve to operations`() {
        let expected: Future<Int> = Future { completion in
            guard Future(1).isCompleted else { throw Oops() }
            completion(.success(1))
            return Disposer {}
        }
        let returned = Self.make { completion in
            completion(.success(2))
            return NilDisposer()
        }
        #expect([expected, returned].map(\.success) == [1, 2])
    }

    private static func make(
        _ operation: @escaping @Sendable (@escaping Future<Int>.Completion) throws -> any Disposable
    ) -> Future<Int> { Future(operation: operation) }

    @Test func `closures without a parameter resolve to their value`() {
        let labelled: Future<Int> = Future(immediate: { 1 })
        let inferred = Future(immediate: { "inferred" })
        let throwing = Future<Int>(immediate: { throw Oops() })
        let placed: Future<Int> = Future(on: .immediate, immediate: { 2 })
        // A trailing closure has no label: the closure's value is meant, not the closure as a value.
        let trailing: Future<Int> = Future { 3 }
        let trailingPlaced: Future<Int> = Future(on: .immediate) { 4 }
        let statements: Future<Int> = Future {
            let number = 5
            return number
        }
        let plain = [labelled, placed, trailing, trailingPlaced, statements]
        #expect(plain.map(\.success) == [1, 2, 3, 4, 5])
        #expect(inferred.success == "inferred" && throwing.error is Oops)
    }
}
