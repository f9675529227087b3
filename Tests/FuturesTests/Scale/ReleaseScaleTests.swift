// Deallocation: nested objects of the library, in any number.

import Futures
import Testing

extension ScaleTests {
    @Suite(.serialized) struct ReleaseScaleTests {
        @Test(arguments: Nesting.allCases)
        func `a million nested objects of the library are released with 512 KiB of stack`(_ nesting: Nesting) {
            let count = isDebug ? 5000 : nesting.isCostly ? 200_000 : 1_000_000
            let census = Census()
            onSmallStack {
                let outermost = nesting.make(count, around: census.make())
                #expect(census.alive == 1)
                withExtendedLifetime(outermost) {}
            }
            // Some release the token on the thread that has just exited, and some on a scheduler.
            expectSoon { census.alive == 0 }
        }

        @Test func `retained links that meet at each step are deallocated on a small stack`() {
            let count = 20_000
            let last = Promise<Int>()
            var held: [Future<Int>] = []
            var future = last.future.map(on: .immediate) { $0 }
            for _ in 0..<count {
                // One link leads to each future before that future becomes a link itself.
                let (gate, start) = (Promise<Void>(), Promise<Void>())
                let target = future
                let next = gate.future.flatMap(on: .immediate) { target }
                let link = start.future.flatMap(on: .immediate) { next }
                held.append(link.flatMap(on: .immediate) { Future($0) })
                start.succeed()
                gate.succeed()
                held.append(link)
                future = next
            }
            last.succeed(7)
            #expect(future.success == 7)
            #expect(held.allSatisfy { $0.success == 7 })
            held = []
        }

        @Test func `a million bags, each retained by the next, are disposed with 512 KiB of stack`() {
            let census = Census()
            onSmallStack {
                let bag = Nesting.bagsInClosures.make(scaled(1_000_000), around: census.make()) as! DisposeBag
                bag.dispose()
                #expect(census.alive == 0)
            }
        }

        @Test func `errors of a million nested futures are described and released with 512 KiB of stack`() {
            onSmallStack {
                let promise = Promise<Int>()
                var future = promise.future
                for _ in 0..<scaled(1_000_000) { future = Future.firstSuccess(of: [future]) }
                promise.fail(Oops())
                let error = future.error!
                #expect("\(error)".utf8.count < 500)
                var text = ""
                dump(error, to: &text)
                #expect(text.utf8.count < 2_000)
            }
        }
    }
}

/// What users may nest without a limit.
enum Nesting: String, CaseIterable, Sendable {
    case bagsInClosures, bagsOfOperations, disposers, queues, caches, usedPools, promises, mixed

    /// Whether levels take microseconds to create.
    var isCostly: Bool { [.caches, .usedPools, .bagsOfOperations, .mixed].contains(self) }

    /// Returns the outermost of `count` nested objects, the innermost of which retains `token`.
    func make(_ count: Int, around token: Census.Counted) -> any Sendable {
        var object: any Sendable = token
        for index in 0..<count { object = wrap(object, index) }
        return object
    }

    private func wrap(_ inner: any Sendable, _ index: Int) -> any Sendable {
        let bag = DisposeBag()
        switch self {
        case .bagsInClosures: bag += { withExtendedLifetime(inner) {} }
        case .bagsOfOperations:
            bag += Future<Int> { completion in Disposer { withExtendedLifetime((inner, completion)) {} } }
        case .disposers: return Disposer { withExtendedLifetime(inner) {} }
        case .queues: return FutureQueue(resource: inner)
        case .caches:
            let cache = FutureCache<Int, any Sendable>(maxCount: 1)
            _ = cache.future(on: .immediate, for: 1) { Future(inner) }
            return cache
        case .usedPools:
            let pool = ResourcePool<any Sendable>(maxCount: 1, callTimeout: testTimeout, on: .immediate) {
                Future(inner)
            }
            pool.on(.immediate).enqueue { _ in Future(1) }
            return pool
        case .promises:
            let promise = Promise<Int>()
            promise.future.onValue(on: .immediate) { _ in withExtendedLifetime(inner) {} }
            return promise
        case .mixed: return Self.allCases[index % (Self.allCases.count - 1)].wrap(inner, index)
        }
        return bag
    }
}
