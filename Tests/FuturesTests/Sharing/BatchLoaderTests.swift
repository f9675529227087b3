// BatchLoader: one request for the keys of many callers. Contract/Sharing.md

import Futures
import FuturesTesting
import Testing

@Suite struct BatchLoaderTests {
    private let time = VirtualTime(), requests = Log<[Int]>()

    /// A loader of the tenfold of keys, which are missing above 100. Each request takes a second.
    private func loader(maxCount: Int = .max) -> BatchLoader<Int, Int> {
        BatchLoader(delay: .seconds(1), maxCount: maxCount, on: time.scheduler) { [requests] keys in
            requests.add(keys)
            let values = keys.filter { $0 <= 100 }.map { ($0, 10 * $0) }
            return Future(Dictionary(uniqueKeysWithValues: values)).delay(by: .seconds(1))
        }
    }

    @Test func `keys that are asked for within the delay are loaded by one request, each of them once`() {
        let loader = loader()
        let first = [3, 1, 3].map(loader.load)
        time.advance(by: .milliseconds(999))
        let last = loader.load(2)
        time.advance(by: .milliseconds(1))
        let next = loader.load(1)
        #expect(requests.entries == [[3, 1, 2]])
        time.advance(by: .seconds(1))
        #expect((first + [last]).map(\.success) == [30, 10, 30, 20])
        #expect(requests.entries == [[3, 1, 2], [1]])
        time.advance(by: .seconds(1))
        #expect(next.success == 10)
    }

    @Test func `a batch of maxCount keys starts at once`() throws {
        let loader = loader(maxCount: 2)
        let values = [1, 1, 2, 3].map(loader.load)
        time.run()
        #expect(requests.entries == [[1, 2]])
        time.advance(by: .seconds(2))
        #expect(requests.entries == [[1, 2], [3]])
        #expect(values.map(\.success) == [10, 10, 20, 30])
        try time.checkNothingPending()
    }

    @Test func `a key without a value fails, and an error of the request fails all callers`() {
        let loader = loader()
        let values = [1, 101].map(loader.load)
        time.advance(by: .seconds(2))
        #expect(values[0].success == 10)
        #expect(values[1].error.map { "\($0)".contains("no value for the key 101") } == true)
        #expect(values[1].error is MissingValueError)
        let failing = BatchLoader<Int, Int>(delay: .zero, on: time.scheduler) { _ in throw Oops(1) }
        let failures = [1, 2].map(failing.load)
        time.run()
        #expect(failures.map { $0.error as? Oops } == [Oops(1), Oops(1)])
    }

    @Test func `a caller that cancels leaves the batch, but not its key`() throws {
        let loader = loader()
        let values = [1, 2, 1, 3].map(loader.load)
        values[0].cancel()
        values[1].cancel()
        let again = loader.load(2)
        values[3].cancel()
        time.advance(by: .seconds(1))
        #expect(requests.entries == [[1, 2, 3]])
        time.advance(by: .seconds(1))
        #expect([values[2], again].map(\.success) == [10, 20])
        // Without callers, there is no request.
        for value in [4, 4, 5].map(loader.load) { value.cancel() }
        #expect("\(loader)" == "BatchLoader(collected: 0)")
        try time.checkNothingPending()
    }

    @Test func `when all callers have cancelled, the request is cancelled`() {
        let stopped = Shared(0)
        let loader = BatchLoader<Int, Int>(delay: .seconds(1), on: time.scheduler) { _ in
            stoppable { stopped.increment() }.map(on: .immediate) { [0: $0] }
        }
        let values = [1, 2].map(loader.load)
        time.advance(by: .seconds(1))
        values[0].cancel()
        #expect(stopped.value == 0)
        values[1].cancel()
        #expect(stopped.value == 1)
    }

    @Test func `neither values nor keys are retained`() {
        let census = Census()
        let loader = BatchLoader<Int, Census.Counted>(delay: .seconds(1), on: time.scheduler) { keys in
            Future(Dictionary(uniqueKeysWithValues: keys.map { ($0, census.make()) }))
        }
        let values = [1, 2].map(loader.load)
        time.advance(by: .seconds(1))
        #expect(census.alive == 2)
        #expect(values.allSatisfy { $0.success != nil })
        withExtendedLifetime(values) {}
    }

    @Test func `100 000 keys are collected and leave, in constant time each`() {
        expectConstantTime { count in
            let loader = loader()
            let values = (0..<count).map(loader.load)
            for value in values { value.cancel() }
            #expect("\(loader)" == "BatchLoader(collected: 0)")
        }
    }

    @Test func `what is loaded and pooled can be made by asynchronous closures`() async throws {
        let loader = BatchLoader<Int, Int>(delay: .zero) { keys async in
            Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
        }
        let pool = ResourcePool(maxCount: 1, create: { () async in 4 }, check: { resource async in resource == 4 })
        #expect(try await loader.load(1).value == 1)
        for _ in 1...2 { #expect(try await pool.run { $0 }.value == 4) }
    }
}
