// Payload and Closure: nodes store values and closures of any shape, and release them once.

import Futures
import Testing

struct PayloadTests {
    /// Sends a value through pending and completed futures and steps, and counts the values that are alive.
    private func send<Value: Sendable>(
        _ make: @escaping @Sendable (Census.Counted) -> Value, same: (Value, Value) -> Bool
    ) {
        let census = Census()
        func run() {
            let (value, promise, failed) = (make(census.make()), Promise<Value>(), Promise<Value>())
            let tail = promise.future.map(on: .immediate) { $0 }
                .flatMap(on: .immediate) { Future($0) }
                .onValue(on: .immediate) { _ in }
                .mapResult(on: .immediate) { try $0.get() }
                .flatMapResult(on: .immediate) { Future(result: $0) }
                .always(on: .immediate) {}
            let mended = failed.future.onError(on: .immediate) { _ in }.recover(on: .immediate) { _ in value }
            let replaced = failed.future.flatMapError(on: .immediate) { _ in Future(value) }
            let selected = select(between: [promise.future, failed.future], cancelNonCompleted: false)
                .shieldedFromCancellation().timeout(after: .seconds(3600))
            promise.succeed(value)
            failed.fail(Oops())
            let joined = join(tail, Future(value), Future(1))
            let placed = Scheduler(label: "attached").perform {
                Future<Value> { completion in
                    completion(.success(value))
                    return NilDisposer()
                }.map { $0 }
            }
            for future in [tail, mended, replaced, selected, placed, joined.map(on: .immediate) { $0.0 }] {
                #expect(same(future.success!, value))
            }
            // Never delivered: the second value of a promise, and the value of a cancelled future.
            #expect(!promise.succeed(make(census.make())))
            let cancelled = Promise<Value>()
            cancelled.future.cancel()
            #expect(!cancelled.succeed(make(census.make())))
        }
        run()
        #expect(census.alive == 0)
    }

    private struct Large: Sendable, Equatable {
        var words = (1, 2, 3)
        var more = [4, 5]
        let object: Census.Counted

        static func == (a: Large, b: Large) -> Bool {
            a.words == b.words && a.more == b.more && a.object === b.object
        }
    }

    private struct Aligned: Sendable, Equatable {
        let lanes = SIMD4<Double>(1, 2, 3, 4)
        let object: Census.Counted

        static func == (a: Aligned, b: Aligned) -> Bool { a.lanes == b.lanes && a.object === b.object }
    }

    private enum Choice: Sendable {
        case none
        case some(Census.Counted, Int)
    }

    private struct Empty: Sendable {}

    @Test func `a node stores values of any shape, and releases them once`() {
        send({ _ in 42 }, same: ==)
        send({ _ in (1, 2.5, UInt8(3)) }, same: ==)
        send({ _ in Empty() }) { _, _ in true }
        send({ _ in () }) { _, _ in true }
        // Counted values that fit.
        send({ (object: Census.Counted) in object }) { $0 === $1 }
        send({ (object: Census.Counted) -> Census.Counted? in object }) { $0 === $1 }
        send({ _ in String(repeating: "x", count: 100) }, same: ==)
        send({ Choice.some($0, 5) }) { a, b in
            if case .some(let a, 5) = a, case .some(let b, 5) = b { a === b } else { false }
        }
        send({ $0 as any Sendable }) { ($0 as? Census.Counted) === ($1 as? Census.Counted) }
        send({ object in { @Sendable in object } as @Sendable () -> Census.Counted }) { $0() === $1() }
        // Larger values, and a stricter alignment.
        send({ Large(object: $0) }, same: ==)
        #expect(MemoryLayout<Aligned>.alignment > MemoryLayout<(UInt, UInt, UInt)>.alignment)
        send({ Aligned(object: $0) }, same: ==)
        send({ (object: Census.Counted) in Future<Census.Counted>(object) }) { $0.success === $1.success }
    }

    private struct CountedError: Error {
        let object: Census.Counted
    }

    @Test func `a node stores errors and closures with any captures, and releases them once`() {
        let census = Census()
        func run() {
            let (a, b, promise) = (census.make(), census.make(), Promise<Int>())
            let (error, large) = (CountedError(object: census.make()), Large(object: a))
            let tail = promise.future
                .map(on: .immediate) { a.pass(b.pass($0)) + large.words.2 }
                .flatMap(on: .immediate) { [b] in Future(b.pass($0)) }
                .onCancel(on: .immediate) { [a, b, large] in withExtendedLifetime((a, b, large)) {} }
                .onError(on: .immediate) { _ in }
                .flatMapError(on: .immediate) { Future(error: $0) }
                .mapResult(on: .immediate) { try $0.get() }
            promise.fail(error)
            #expect((tail.error as? CountedError)?.object === error.object)
        }
        run()
        #expect(census.alive == 0)
    }
}
