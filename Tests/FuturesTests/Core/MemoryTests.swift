// Memory: futures, results and closures are released when they are no longer needed. Contract/Memory.md

import Futures
import Testing

@Suite struct MemoryTests {
    @Test func `a completed future releases its listeners and its disposable`() {
        let (census, completion) = (Census(), Shared<Future<Int>.Completion?>(nil))
        let future = Future<Int> {
            completion.value = $0
            return Held(census.make())
        }
        func listen() {
            let captured = census.make()
            future.onResult(on: .immediate) { _ in captured.touch() }
        }
        listen()
        listen()
        #expect(census.alive == 3)
        completion.value!(.success(1))
        #expect(census.alive == 0)
        #expect(future.success == 1)
    }

    @Test func `a chain of a future that never completes is deallocated when it is cancelled`() {
        let census = Census()
        func build() -> Future<[Int]> {
            let captured = census.make()
            let chain = Future<Int>.never.map(on: .immediate) { captured.pass($0) }
                .flatMap(on: .immediate) { Future(captured.pass($0)) }
                .onErrorRepeat(on: .immediate, maxRepetitions: 3) { _ in captured.pass(true) }
            let inner = Future(1).flatMap(on: .immediate) { _ in
                Future<Int>.never.map(on: .immediate) { captured.pass($0) }
            }
            return join([chain, inner, select(chain, or: inner).map(on: .immediate) { _ in captured.pass(1) }])
        }
        build().cancel()
        #expect(census.alive == 0)
    }

    private struct Held: Disposable {
        let object: Census.Counted

        init(_ object: Census.Counted) { self.object = object }

        func dispose() {}
    }

    @Test func `a retained future retains its closures' captures, because it can be repeated`() {
        let census = Census()
        func build() -> Future<Int> {
            let captured = census.make()
            return Future(1).map(on: .immediate) { captured.pass($0) }
        }
        var future: Future<Int>? = build()
        #expect(future?.success == 1)
        #expect(census.alive == 1)
        future = nil
        #expect(census.alive == 0)
    }

    /// Of 200 results, at most three are alive at a time.
    @Test func `the result of a step is released when it was passed on, unless something refers to the step then`() {
        let (census, promise) = (Census(), Promise<Census.Counted>())
        func build() -> Future<Census.Counted> {
            var future = promise.future.map(on: .immediate) { _ in census.make() }
            for _ in 1..<200 { future = future.map(on: .immediate) { _ in census.make() } }
            return future
        }
        let last = build()
        promise.succeed(census.make())
        #expect(last.isCompleted)
        // That of the promise, which is referenced, the last one, and the one that is being created.
        #expect(census.peak <= 3)
        // Its result was released, but it can still be repeated: the promise still has its own.
        let again = last.flatMap(on: .immediate) { _ in Future<Int>(error: Oops()) }
            .onErrorRepeat(on: .immediate, maxRepetitions: 1)
        #expect(again.error is Oops)
        #expect(census.alive <= 3)
    }

    @Test func `a loop of futures that are disposed on another scheduler keeps no steps`() async {
        let (census, elsewhere, other) = (Census(), Scheduler(label: "elsewhere"), Scheduler(label: "other"))
        let (end, gate) = (Promise<Int>(), Signal())
        elsewhere.async { _ = gate.comes() }
        @Sendable func loop(_ left: Int) -> Future<Int> {
            let captured = census.make()
            let step = Future<Int>(on: .immediate) { completion in
                completion(.success(left))
                return Disposer(on: elsewhere) {}
            }
            return step.flatMap(on: other) { left in
                captured.touch()
                return left == 0 ? end.future : loop(left - 1)
            }
        }
        let future = loop(500)
        #expect(await comesTrue { end.future.isHeard })
        gate.send()
        #expect(await comesTrue { census.alive < 5 })
        end.succeed(1)
        #expect(try! await future.arrival().get() == 1)
    }
}
