// Deallocation: nested objects of the library, in any number.

import Dispatch
import Futures
import FuturesTesting
import Synchronization
import Testing

extension ScaleTests {
    @Suite(.serialized) struct ReleaseScaleTests {
        @Test(arguments: Nesting.allCases)
        func `a million nested objects of the library are released with 512 KiB of stack`(
            _ nesting: Nesting
        ) {
            let count = isDebug ? 20_000 : nesting.isCostly ? 200_000 : 1_000_000
            let tally = Tally()
            onSmallStack {
                let outermost = nesting.make(count, around: tally.token())
                #expect(tally.count == 1)
                withExtendedLifetime(outermost) {}
            }
            // Some release the token on the thread that has just exited, and some on a scheduler.
            expectSoon { tally.count == 0 }
        }

        @Test func `a million bags, each retained by the next, are disposed with 512 KiB of stack`() {
            let tally = Tally()
            onSmallStack {
                let bag = Nesting.bagsInClosures.make(scaled(1_000_000), around: tally.token()) as! DisposeBag
                bag.dispose()
                #expect(tally.count == 0)
            }
        }

        @Test func `errors of a million nested futures are described with 512 KiB of stack`() {
            onSmallStack {
                let error = Nesting.firstSuccesses.make(scaled(1_000_000), around: Tally().token())
                #expect("\(error)".hasSuffix("and so on)))") || "\(error)".contains("and so on"))
                var text = ""
                dump(error, to: &text)
                #expect(text.utf8.count < 2_000)
            }
        }
    }
}

/// What users may nest without a limit.
enum Nesting: String, CaseIterable, Sendable {
    case firstSuccesses, firsts, bagsInClosures, bagsOfFutures, bagsOfOperations, bagsOfOthers, disposers
    case queues, closedQueues, handlers, caches, memoKeys, pools, usedPools, singleFlights, clocks, promises,
        boxes, mixed

    /// Whether each level takes microseconds to create.
    var isCostly: Bool { [.caches, .memoKeys, .usedPools, .singleFlights, .firsts, .bagsOfOperations].contains(self) }

    private struct Failure: Error { let content: any Sendable }

    private final class Key: Hashable, Sendable {
        let content: any Sendable
        init(_ content: any Sendable) { self.content = content }
        static func == (a: Key, b: Key) -> Bool { a === b }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// A user's disposable, which releases what it retains when it is released.
    private struct Holder: Disposable {
        let content: any Sendable
        func dispose() {}
    }

    /// Returns the outermost of `count` nested objects, the innermost of which retains `token`.
    func make(_ count: Int, around token: Tally.Token) -> any Sendable {
        if [.firstSuccesses, .firsts].contains(self) { return errors(count, around: token) }
        var object: any Sendable = token
        for index in 0..<count { object = wrap(object, index) }
        return object
    }

    private func errors(_ count: Int, around token: Tally.Token) -> any Error {
        let promise = Promise<Int>()
        var future = promise.future
        for _ in 0..<count {
            future =
                self == .firsts
                ? Future.first(1, of: [future]).map(on: .immediate) { $0[0] } : Future.firstSuccess(of: [future])
        }
        promise.fail(Failure(content: token))
        return future.error!
    }

    private func wrap(_ inner: any Sendable, _ index: Int) -> any Sendable {
        let bag = DisposeBag()
        switch self {
        case .firstSuccesses, .firsts: return inner
        case .bagsInClosures: bag += { withExtendedLifetime(inner) {} }
        case .bagsOfFutures:
            let promise = Promise<Int>()
            bag += promise.future.onValue(on: .immediate) { _ in withExtendedLifetime((inner, promise)) {} }
        case .bagsOfOperations:
            bag += Future<Int> { completion in Disposer { withExtendedLifetime((inner, completion)) {} } }
        case .bagsOfOthers: bag += Holder(content: inner)
        case .disposers: return Disposer { withExtendedLifetime(inner) {} }
        case .queues: return FutureQueue(resource: inner)
        case .closedQueues:
            let queue = FutureQueue()
            queue.close(with: Failure(content: inner))
            return queue
        case .handlers:
            let queue = FutureQueue()
            queue.onCleanupFailure { _ in withExtendedLifetime(inner) {} }
            return queue
        case .caches:
            let cache = FutureCache<Int, any Sendable>(maxCount: 1)
            _ = cache.future(on: .immediate, for: 1) { Future(inner) }
            return cache
        case .memoKeys:
            let cache = FutureCache<Key, Int>(maxCount: 1)
            _ = cache.future(on: .immediate, for: Key(inner)) { Future(1) }
            return cache
        case .singleFlights:
            let (flights, promise) = (SingleFlight<Int, Int>(), Promise<Int>())
            let pending = promise.future
            let future = flights.future(on: .immediate, for: 1) {
                pending.map(on: .immediate) { number in withExtendedLifetime(inner) { number } }
            }
            return [flights, promise, future] as [any Sendable]
        case .pools:
            return ResourcePool<Int>(maxCount: 1, callTimeout: testTimeout) {
                withExtendedLifetime(inner) { Future(1) }
            }
        case .usedPools:
            let pool = ResourcePool<any Sendable>(maxCount: 1, callTimeout: testTimeout, on: .immediate) {
                Future(inner)
            }
            pool.on(.immediate).enqueue { _ in Future(1) }
            return pool
        case .clocks:
            let time = VirtualTime()
            time.scheduler.async(after: .seconds(1)) { withExtendedLifetime(inner) {} }
            return time
        case .promises:
            let promise = Promise<Int>()
            promise.future.onValue(on: .immediate) { _ in withExtendedLifetime(inner) {} }
            return promise
        case .boxes: return Future<any Sendable>(UncheckedSendable([inner]))
        case .mixed: return Self.allCases[index % (Self.allCases.count - 1)].wrap(inner, index)
        }
        return bag
    }
}
