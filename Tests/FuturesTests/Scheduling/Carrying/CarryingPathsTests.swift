// propagating: queues, repetitions and timers.

import Futures
import FuturesTesting
import Testing

@Suite struct CarryingPathsTests {
    @Test func `an operation of a queue has the values of the code that enqueued it`() async {
        await #expect(processExitsWith: .success) {
            let gate = Promise<Void>()
            let (queue, keyed) = (FutureQueue(), KeyedFutureQueue<Int>())
            let own = FutureQueue(resource: 1, executeOn: .background)
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, create: { Future(1) })
            let (mutex, semaphore) = (FutureMutex(), FutureSemaphore(count: 1))
            // They let all others wait.
            queue.on(.immediate).enqueue { gate.future }
            keyed[1].on(.immediate).enqueue { gate.future }
            own.enqueue { _ in gate.future }
            pool.on(.immediate).enqueue { _ in gate.future }
            mutex.on(.immediate).enqueue { gate.future }
            semaphore.on(.immediate).enqueue { gate.future }
            func enqueue(_ id: String) -> [Future<String>] {
                Request.with(id) {
                    [
                        queue.on(.background).enqueue { Future(Request.id) }, queue.enqueue { Future(Request.id) },
                        queue.run { Request.id }, queue.on(.background).run { Request.id },
                        queue.batch.enqueue { $0.on(.background).enqueue { Future(Request.id) } },
                        keyed[1].on(.background).enqueue { Future(Request.id) },
                        own.enqueue { _ in Future(Request.id) }, own.run { _ in Request.id },
                        pool.on(.background).enqueue { _ in Future(Request.id) },
                        mutex.on(.immediate).enqueue { Future(Request.id) },
                        semaphore.on(.immediate).enqueue { Future(Request.id) },
                    ]
                }
            }
            let all = ["1", "2", "3"].map { (id: $0, futures: enqueue($0)) }
            gate.succeed()
            for (id, futures) in all {
                for (index, future) in futures.enumerated() {
                    let found = await future.found
                    #expect(found == id, "operation \(index)")
                }
            }
        }
    }

    @Test func `a cleanup has the values of the code that enqueued its operation`() async {
        await #expect(processExitsWith: .success) {
            let (queue, gate, cleaned) = (FutureQueue(), Promise<Void>(), Promise<String>())
            let operation = Request.with("7") {
                queue.on(.background).enqueue {
                    gate.future
                } finally: { _, _ in
                    cleaned.succeed(Request.id)
                    return Future()
                }
            }
            gate.succeed()
            _ = await operation.found
            #expect(await cleaned.future.found == "7")
        }
    }

    @Test func `a repetition has the values of what it repeats`() async {
        await #expect(processExitsWith: .success) {
            let (queue, seen) = (FutureQueue(), Log<String>())
            let made = Request.with("made") {
                queue.on(.background).enqueue { () -> Future<Int> in
                    seen.add("operation \(Request.id)")
                    return Future(error: Oops(1))
                }.recover(on: .background) { error in
                    seen.add("step \(Request.id)")
                    throw error
                }
            }
            let repetition = Request.with("repeated") {
                made.onErrorRepeat(on: .background, delayBetweenRepetitions: .milliseconds(1), maxRepetitions: 2) { _ in
                    seen.add("predicate \(Request.id)")
                    return true
                }
            }
            #expect(await repetition.found == nil)
            for (word, count) in [("operation made", 3), ("step made", 3), ("predicate repeated", 2)] {
                #expect(seen.entries.count { $0 == word } == count, "\(seen.entries)")
            }
        }
    }

    @Test func `retries and timers have the values`() async {
        await #expect(processExitsWith: .success) {
            let (time, seen) = (VirtualTime(isStrict: false), Log<String>())
            let never = Promise<Int>()
            let future = Request.with("7") {
                time.scheduler.perform {
                    Future<Int>(on: time.scheduler) {
                        seen.add("operation \(Request.id)")
                        throw Oops(1)
                    }
                    .retry(.constant(.seconds(1), maxRepetitions: 2)) { _ in seen.add("attempt \(Request.id)") }
                }
                .delay(by: .seconds(1), on: time.scheduler)
                .recover(on: time.scheduler) { _ -> Int in
                    seen.add("delayed \(Request.id)")
                    return 1
                }
                .flatMap(on: time.scheduler) { _ in never.future.timeout(after: .seconds(5), on: time.scheduler) }
                .onError(on: .immediate) { _ in seen.add("timed out \(Request.id)") }
            }
            time.advance(by: .seconds(60))
            #expect(future.isCompleted)
            #expect(seen.entries.filter { !$0.hasSuffix(" 7") } == [])
            #expect(seen.entries.filter { $0 == "operation 7" }.count == 3)
            #expect(seen.entries.suffix(2) == ["delayed 7", "timed out 7"], "\(seen.entries)")
        }
    }

    @Test func `a shared run has the values of the caller that started it, and each caller its own`() async {
        await #expect(processExitsWith: .success) {
            let (flights, gate) = (SingleFlight<Int, String>(), Promise<Void>())
            func ask(_ id: String) -> Future<String> {
                Request.with(id) {
                    flights.future(on: .background, for: 1) { gate.future.map(on: .background) { Request.id } }
                        .map(on: .background) { "\($0) \(Request.id)" }
                }
            }
            let (first, second) = (ask("1"), ask("2"))
            gate.succeed()
            #expect(await first.found == "1 1")
            #expect(await second.found == "1 2")
        }
    }

    @Test func `a run of a Deferred has the values of the code that starts it`() async {
        await #expect(processExitsWith: .success) {
            let promise = Promise<Void>()
            let deferred = Request.with("described") {
                Deferred { try await promise.future.map(on: .background) { Request.id }.value }
            }
            let (first, second) = (
                Request.with("1") { deferred.start() }, Request.with("2") { deferred.start() }
            )
            promise.succeed()
            #expect(await first.found == "1")
            #expect(await second.found == "2")
        }
    }
}
