// SingleFlight: concurrent calls for a key share one run. Contract/Sharing.md

import Futures
import FuturesTesting
import Testing

@Suite struct SingleFlightTests {
    private let flights = SingleFlight<String, Int>(), runs = Log<(key: String, promise: Promise<Int>)>()

    private func ask(_ key: String) -> Future<Int> { flights.future(on: .immediate, for: key) { begin(key) } }

    private func begin(_ key: String) -> Future<Int> {
        let promise = Promise<Int>()
        runs.add((key, promise))
        return promise.future
    }

    private func promise(_ run: Int) -> Promise<Int> { runs.entries[run].promise }

    @Test func `callers with the same key share the run in progress`() {
        let futures = ["a", "b", "a"].map(ask)
        #expect(runs.entries.map(\.key) == ["a", "b"])
        promise(0).succeed(1)
        #expect(futures.map(\.success) == [1, nil, 1])
    }

    @Test func `an error or a throw of the operation is shared too`() {
        let (a, b) = (ask("a"), ask("a"))
        promise(0).fail(Oops(1))
        #expect([a, b].map { $0.error as? Oops } == [Oops(1), Oops(1)])
        let threw = flights.future(on: .immediate, for: "a") { throw Oops(2) }
        #expect(threw.error as? Oops == Oops(2))
    }

    @Test func `nothing is cached, so a call after the result starts a new run, even in a callback of that result`() {
        let first = ask("a")
        let next = Shared<Future<Int>?>(nil)
        first.onValue(on: .immediate) { _ in next.value = ask("a") }
        promise(0).succeed(1)
        #expect(runs.count == 2)
        let third = ask("a")
        #expect(runs.count == 2)
        promise(1).succeed(2)
        #expect([next.value?.success, third.success] == [2, 2])
    }

    @Test func `each caller can cancel separately`() {
        let (a, b, c) = (ask("a"), ask("a"), ask("a"))
        a.cancel()
        c.cancel()
        #expect([a, c].map(\.isCancelled) == [true, true])
        promise(0).succeed(1)
        #expect(b.success == 1)
    }

    @Test func `when all callers have cancelled, the run is cancelled, and the next call starts a new one`() {
        let (a, b) = (ask("a"), ask("a"))
        a.cancel()
        b.cancel()
        #expect(promise(0).future.isCancelled)
        let c = ask("a")
        // A run whose future has other listeners continues.
        let listener = promise(1).future.map(on: .immediate) { $0 }
        c.cancel()
        promise(1).succeed(3)
        #expect(listener.success == 3)
    }

    @Test func `an operation that returns the future of its own key fails instead of waiting for itself`() {
        let circle = flights.future(on: .immediate, for: "a") { [flights] in
            flights.future(on: .immediate, for: "a") { Future(1) }
        }
        #expect(circle.error as? FutureError == .awaitsItself)
        #expect(flights.future(on: .immediate, for: "a") { Future(2) }.success == 2)
        let cache = FutureCache<String, Int>(maxCount: 1)
        let other = cache.future(on: .immediate, for: "a") { cache.future(on: .immediate, for: "a") { Future(1) } }
        #expect(other.error as? FutureError == .awaitsItself)
        #expect(cache.future(on: .immediate, for: "a") { Future(2) }.success == 2)
    }

    @Test func `the operation is called on its scheduler, or never if all callers cancel before`() {
        let (time, calls) = (VirtualTime(), Shared(0))
        func ask() -> Future<Int> {
            flights.future(on: time.scheduler, for: "a") {
                #expect(time.scheduler.isCurrent)
                return Future(calls.increment())
            }
        }
        let cancelled = [ask(), ask()]
        for future in cancelled { future.cancel() }
        time.run()
        #expect(calls.value == 0)
        let (a, b) = (ask(), ask())
        time.run()
        #expect([a, b].map(\.success) == [1, 1])
    }

    @Test @MainActor func `the operation is called where it was attached`() async {
        var calls = 0
        let flights = flights
        let futures = (0..<3).map { _ in
            flights.future(for: "a") {
                calls += 1
                return Future(on: .background, immediate: { 1 })
            }
        }
        #expect((try? await join(futures).arrival().get()) == [1, 1, 1])
        #expect(calls >= 1)
    }

    @Test(arguments: ScaleTests.Order.allCases)
    func `100 000 callers share one run and cancel in any order, in constant time each`(_ order: ScaleTests.Order) {
        expectConstantTime { count in
            let (flights, gate) = (SingleFlight<Int, Int>(), Promise<Int>())
            let callers = order.arrange((0..<count).map { _ in flights.future(on: .immediate, for: 1) { gate.future } })
            for caller in callers.dropLast() { caller.cancel() }
            #expect(!gate.future.isCompleted)
            callers.last?.cancel()
            #expect(gate.future.isCancelled)
        }
    }
}
