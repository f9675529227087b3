// Releases during a deallocation precede its return, also in nested deallocations.

import Futures
import Testing

@Suite struct DeferredReleasesTests {
    @Test func `what a deinit releases is released before it continues, whatever deallocates the object`() {
        /// Its `deinit` releases an object that a future of the library retains.
        final class Owner: Sendable {
            private let owned: Shared<Future<Census.Counted>?>
            private let census: Census
            private let isInTime: Log<Bool>

            init(_ census: Census, _ isInTime: Log<Bool>) {
                owned = Shared(Future(census.make()))
                (self.census, self.isInTime) = (census, isInTime)
            }

            deinit {
                owned.value = nil
                isInTime.add(census.alive == 0)
            }
        }
        let makers: [(Owner) -> any Sendable] = [
            { Future($0) },
            { owner in Future(1).map(on: .immediate) { number in withExtendedLifetime(owner) { number } } },
            { owner in Future<Int>.never.map(on: .immediate) { number in withExtendedLifetime(owner) { number } } },
            { owner in
                join([Future(1), Future(2).map(on: .immediate) { number in withExtendedLifetime(owner) { number } }])
            },
            { owner in Disposer { withExtendedLifetime(owner) {} } },
            { owner in
                let bag = DisposeBag()
                bag += { withExtendedLifetime(owner) {} }
                return bag
            },
            { FutureQueue(resource: $0) },
            { owner in
                let cache = FutureCache<Int, Owner>(maxCount: 1)
                _ = cache.future(on: .immediate, for: 1) { Future(owner) }
                return cache
            },
        ]
        for (index, make) in makers.enumerated() {
            let (census, isInTime) = (Census(), Log<Bool>())
            let object = Shared<(any Sendable)?>(make(Owner(census, isInTime)))
            #expect(census.alive == 1)
            object.value = nil
            #expect(isInTime.entries == [true], "maker \(index)")
            #expect(census.alive == 0)
        }
    }

    @Test func `user closures that are called in a deallocation do not nest, however many there are`() {
        let count = 20_000
        onSmallStack {
            let census = Census()
            let disposers = (0..<count).map { _ in
                let other = Shared<Future<Census.Counted>?>(Future(census.make()))
                // Each release runs in a loop of its own, which must not touch what the outer loop has to release.
                return Future<Disposer>(Disposer { other.value = nil })
            }
            let promise = Promise<Int>()
            var object: Future<Int>? = promise.future.map(on: .immediate) { number in
                withExtendedLifetime(disposers) { number }
            }
            #expect(census.alive == count && object != nil)
            object?.cancel()
            object = nil
        }
    }
}
