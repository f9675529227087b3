// Schedulers: where callbacks run, and when they hop. Contract/Schedulers.md

import Dispatch
import Futures
import FuturesTesting
import Testing

@Suite struct SchedulerTests {
    /// Attaches a callback of every kind, each of which reports where it runs.
    private func attachAll(to promise: Promise<Int>, telling: @escaping @Sendable () -> Void) {
        let future = promise.future
        future.onValue { _ in telling() }
        future.onResult { _ in telling() }
        future.always { telling() }
        future.map { _ in telling() }.onValue(on: .immediate) {}
        future.mapResult { _ in telling() }.onValue(on: .immediate) {}
        future.flatMap { Future<Int>(telling, $0) }.onValue(on: .immediate) { _ in }
        future.flatMapResult { _ in Future<Int>(telling, 1) }.onValue(on: .immediate) { _ in }
        let failed = future.map(on: .immediate) { _ in throw CancellationError() }
        failed.onError { _ in telling() }
        failed.onCancel { telling() }
        failed.recover { _ in telling() }.onValue(on: .immediate) {}
        failed.flatMapError { _ in Future<Void>(telling, ()) }.onValue(on: .immediate) {}
        failed.onErrorRepeat { _ in
            telling()
            return false
        }.onValue(on: .immediate) {}
    }

    @Test func `a callback runs on the scheduler where it was attached`() {
        let (here, places, promise) = (Scheduler(label: "here"), Log<Scheduler>(), Promise<Int>())
        here.sync { attachAll(to: promise) { places.add(.current) } }
        #expect(onAnotherThread { promise.succeed(1) })
        here.sync {}
        #expect(places.entries == Array(repeating: here, count: 12))
    }

    @Test func `a callback attached with on: runs on that scheduler`() async throws {
        let here = Scheduler(label: "here")
        let there = Scheduler(label: "there", qos: .userInitiated, attributes: .concurrent)
        let place = here.sync { Future(1).map(on: there) { _ in Scheduler.current }.map { [$0, Scheduler.current] } }
        #expect(try await place.value == [there, here])
        let main = Future(1).map(on: .main) { _ in Scheduler.current }
        #expect(try await main.value == .main)
    }

    @Test func `the current scheduler is background outside of schedulers, main in a main-queue block`() async throws {
        let alone = Shared<Scheduler?>(nil)
        onAnotherThread { alone.value = .current }
        #expect(alone.value == .background)

        let place = Promise<Scheduler>()
        DispatchQueue.main.async { place.succeed(.current) }
        #expect(try await place.future.value == .main)

        let attached = Promise<Int>()
        let ran = attached.future.map { _ in Scheduler.current }
        attached.succeed(1)
        #expect(try await ran.value == .background)
    }

    @Test func `a callback for the scheduler that is already executing runs without a hop`() {
        let (time, heard, promise) = (VirtualTime(), Log<Int>(), Promise<Int>())
        time.scheduler.perform {
            Future(1).onValue { heard.add($0) }
            promise.future.onValue { heard.add($0) }
            promise.succeed(2)
            #expect(heard.entries == [1, 2])
        }
        #expect(time.pendingCount == 0)
    }

    @Test func `a block on a scheduler's queue is on that scheduler`() {
        let queue = DispatchQueue(label: "queue")
        let scheduler = Scheduler(queue: queue)
        queue.sync {
            let heard = Log<Int>()
            #expect(scheduler.isCurrent)
            Future(1).onValue(on: scheduler) { heard.add($0) }
            Future(2).onValue(on: Scheduler(queue: queue)) { heard.add($0) }
            #expect(heard.entries == [1, 2])
        }
        #expect(!scheduler.isCurrent)
    }

    @Test func `the immediate scheduler never hops`() {
        let (promise, heard, there) = (Promise<Int>(), Log<Scheduler>(), Scheduler(label: "there"))
        promise.future.onValue(on: .immediate) { _ in heard.add(.current) }
        there.sync {
            promise.succeed(1)
            #expect(heard.entries == [there])
        }
        Scheduler.immediate.async { heard.add(.immediate) }
        #expect(heard.count == 2)
    }

    @Test func `a result passes a step that does not apply to it without a hop`() {
        let time = VirtualTime()
        let future = Future<Int>(error: Oops()).map(on: time.scheduler) { $0 }
        #expect(future.error is Oops)
        #expect(Future(1).recover(on: time.scheduler) { _ in 2 }.success == 1)
        #expect(time.pendingCount == 0)
    }

    @Test func `a nested sync or perform restores the current scheduler`() {
        let (a, b) = (Scheduler(label: "a"), Scheduler(label: "b"))
        func run(_ scheduler: Scheduler, _ performs: Bool, _ body: () throws -> Void) rethrows {
            if performs { try scheduler.perform(body) } else { try scheduler.sync(body) }
        }
        for performs in [false, true] {
            let places = Log<Scheduler>()
            run(a, performs) {
                run(b, performs) {
                    // In place: waiting for `a` here would deadlock.
                    run(a, performs) { places.add(.current) }
                    places.add(.current)
                }
                places.add(.current)
                #expect(throws: Oops.self) { try run(b, performs) { throw Oops() } }
                places.add(.current)
                b.sync { places.add(.current) }
                places.add(.current)
            }
            #expect(places.entries == [a, b, a, a, b, a])
        }
    }

    @Test func `a callback that hops keeps its order among the blocks on the user's queue`() {
        let queue = DispatchQueue(label: "queue")
        let (scheduler, promise, order) = (Scheduler(queue: queue), Promise<Int>(), Log<Int>())
        promise.future.onValue(on: scheduler) { _ in order.add(1) }
        promise.future.onValue(on: Scheduler(queue: queue)) { _ in order.add(2) }
        queue.suspend()
        queue.async { order.add(0) }
        promise.succeed(1)
        queue.async { order.add(3) }
        scheduler.async { order.add(4) }
        Future(1).onValue(on: scheduler) { _ in order.add(5) }
        queue.async { order.add(6) }
        queue.resume()
        queue.sync {}
        #expect(order.entries == Array(0...6))
    }

    @Test func `on another thread, perform of the main scheduler is not the main actor`() async {
        await #expect(processExitsWith: .failure) {
            DispatchQueue.global().sync { Scheduler.main.perform {} }
            // On the main thread, `sync` may run its closure there, where the call is allowed.
            await Task.detached { Scheduler.main.perform {} }.value
        }
    }

    @Test func `schedulers on one queue are equal and name the queue`() {
        let queue = DispatchQueue(label: "my queue")
        #expect(Scheduler(queue: queue) == Scheduler(queue: queue) && Scheduler(queue: .main) == .main)
        #expect(Set([Scheduler(queue: queue), Scheduler(queue: queue), .main]).count == 2)
        #expect(Scheduler(label: "a") != Scheduler(label: "a"))
        #expect("\(Scheduler(queue: queue))".contains("my queue"))
    }
}

extension Future {
    /// Creates a completed future, after a call of `telling`.
    fileprivate init(_ telling: () -> Void, _ value: Value) {
        telling()
        self.init(value)
    }
}
