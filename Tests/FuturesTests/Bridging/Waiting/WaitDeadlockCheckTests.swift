// wait: futures that need a scheduler, or a timer of it, that the wait blocks. Contract/Waiting.md

import Dispatch
import Futures
import FuturesTesting
import Testing

@Suite struct WaitDeadlockCheckTests {
    // The code that waits is in synchronous functions, as `wait` is unavailable in async ones.
    @Test(arguments: Timed.allCases)
    func `wait traps if the future needs a timer of a blocked scheduler that has its own clock`(_ timed: Timed) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [timed] in
            timed.wait()
        }
        expectTrap(result, saying: "would always time out: it blocks Scheduler(virtual time)")
    }

    @Test func `wait returns if the future needs no timer of a blocked scheduler`() throws {
        let (printer, elsewhere) = (Scheduler(label: "the printer"), Scheduler(label: "elsewhere"))
        let (time, long) = (Duration.milliseconds(1), Duration.seconds(3600))
        try printer.sync { () throws in
            let free = Future(on: elsewhere, immediate: { 1 })
            let late = free.delay(by: time, on: elsewhere)
            for future in [
                late, late.delay(by: time, on: .immediate), late.delay(by: nil), late.delay(by: .zero),
                late.delay(until: .now - long), late.timeout(after: long),
                late.hedged(after: long), late.performWhile(on: elsewhere, delayBy: long) { NilDisposer() },
                late.timeout(after: long) { .never },
                late.retry(RetryPolicy(.constant(time), timeLimit: long)),
                Future(2).delay(by: long).timeout(on: elsewhere, after: .zero) { Future(1) },
                Future(2).delay(by: long).succeed(with: 1, after: .zero, on: elsewhere),
                // The library's clock waits for no scheduler.
                Future(1).delay(by: time), Future<Int>.never.succeed(with: 1, after: time),
            ] {
                #expect(try future.wait(timeout: testTimeout) == 1)
            }
        }
    }

    @Test(arguments: BesideNever.allCases)
    func `wait traps if only a future that never completes needs no blocked scheduler`(_ future: BesideNever) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [future] in
            future.wait()
        }
        expectTrap(result, saying: "it blocks Scheduler(virtual time)")
    }

    @Test(arguments: TaskOnScheduler.allCases)
    func `wait traps if the future needs a task on a blocked scheduler`(_ task: TaskOnScheduler) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [task] in
            task.wait()
        }
        expectTrap(result, saying: "it blocks Scheduler(the printer)")
    }

    @Test func `wait returns if the future needs a task on another scheduler`() throws {
        let (printer, elsewhere) = (Scheduler(label: "the printer"), Scheduler(label: "elsewhere"))
        try printer.sync { () throws in
            for future in [
                // None on the concurrent pool: tests may block all of its threads.
                Future(on: elsewhere, task: { 1 }), FutureMutex().on(elsewhere).run { 1 },
                FutureQueue().on(.background).run { 1 },
                select(between: [Future.never, Future(on: elsewhere, task: { 1 })]),
            ] {
                #expect(try future.wait(timeout: testTimeout) == 1)
            }
        }
    }

    @Test func `wait returns if the second run of a hedged future needs no blocked scheduler`() throws {
        let (printer, elsewhere) = (Scheduler(label: "the printer"), Scheduler(label: "elsewhere"))
        let (gate, runs) = (Promise<Int>(), Shared(0))
        let future = Future<Void>(on: .immediate, immediate: {})
            .flatMap(on: .immediate) { runs.increment() == 1 ? gate.future.map(on: printer) { $0 } : Future(1) }
            .hedged(after: .milliseconds(1), on: elsewhere)
        #expect(try printer.sync { try future.wait(timeout: testTimeout) } == 1)
    }

    @Test func `wait returns if an operation's running limit ends it without the blocked scheduler`() throws {
        let (printer, elsewhere) = (Scheduler(label: "the printer"), Scheduler(label: "elsewhere"))
        let (time, gate) = (Duration.milliseconds(1), Promise<Int>())
        let (queue, keyed) = (FutureQueue(), KeyedFutureQueue<Int>())
        printer.sync {
            // Another listener: otherwise, the first operation's failure would cancel what the others wait for.
            gate.future.onValue(on: .immediate) { _ in }
            @Sendable func needing() -> Future<Int> { gate.future.map(on: printer) { $0 } }
            for future in [
                queue.on(elsewhere).enqueue(with: .runTimeout(time)) { needing() },
                FutureQueue().on(elsewhere).enqueue(with: .runTimeout(time)) {
                    needing()
                } finally: { _, _ in
                    Future()
                },
                keyed[1].on(elsewhere).enqueue(with: .runTimeout(time)) { needing() },
            ] {
                // By now, it waits.
                elsewhere.sync {}
                #expect(throws: QueueError.runTimedOut(after: time)) { try future.wait(timeout: testTimeout) }
            }
        }
    }

    @Test(arguments: [Scheduler(label: "serial"), Scheduler(queue: DispatchQueue(label: "a queue"))])
    func `in a perform, wait returns if the future needs the scheduler`(_ scheduler: Scheduler) async {
        scheduler.perform {
            let gate = Promise<Int>()
            let future = gate.future.map(on: scheduler) { $0 + 1 }
            onAnotherThread { gate.succeed(1) }
            #expect((try? future.wait(timeout: testTimeout)) == 2)
            #expect((try? Future(1).delay(by: .milliseconds(1)).wait(timeout: testTimeout)) == 1)
        }

        let held = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (printer, gate) = (Scheduler(label: "the printer"), Promise<Int>())
            printer.async {
                let future = gate.future.map(on: printer) { $0 }
                printer.perform { _ = try? future.wait(timeout: .milliseconds(100)) }
            }
            printer.sync {}
        }
        expectTrap(held, saying: "it blocks Scheduler(the printer)")
    }

    @Test func `a job of virtual time that waits for its clock traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let time = VirtualTime()
            time.scheduler.async { _ = try? Future(1).delay(by: .seconds(1)).wait(timeout: .milliseconds(100)) }
            time.run()
        }
        expectTrap(result, saying: "it blocks Scheduler(virtual time)")
    }
}

/// A future that needs a timer of the scheduler on which it is created.
enum Timed: String, Codable, CaseIterable, Sendable {
    case delay, pendingDelay, delayUntil, timeoutOrElse, timeout
    case performWhile, retry, retryBeforeDeadline, repetition, manyRepetitions, hedged, hedgedLate, runningLimit

    private static let gate = Promise<Int>()

    func wait() {
        let time = VirtualTime()
        time.scheduler.sync { _ = try? future().wait(timeout: .milliseconds(100)) }
    }

    private func future() -> Future<Int> {
        let (time, long) = (Duration.milliseconds(1), Duration.seconds(3600))
        let pending = Self.gate.future
        let failing = Future<Int>(on: .immediate, immediate: { throw Oops() })
        let late = Future(1).delay(by: time)
        switch self {
        case .delay: return late
        case .pendingDelay: return pending.delay(by: time).map(on: .immediate) { $0 }
        case .delayUntil: return Future(1).delay(until: .now + long)
        case .timeoutOrElse: return late.timeout(after: time) { Future(2) }
        case .timeout: return late.timeout(after: time)
        case .performWhile: return pending.performWhile { NilDisposer() }
        case .retry: return failing.retry(RetryPolicy(.constant(time)))
        case .runningLimit: return FutureQueue().enqueue(with: .runTimeout(long)) { late }
        case .retryBeforeDeadline: return failing.retry(RetryPolicy(.constant(time), timeLimit: long))
        case .repetition: return failing.onErrorRepeat(delayBetweenRepetitions: time)
        case .manyRepetitions: return failing.onErrorRepeat(maxRepetitions: 1000)
        case .hedged: return late.hedged(after: time)
        case .hedgedLate:
            let (clock, first, runs) = (VirtualTime(), Promise<Int>(), Shared(0))
            defer {
                clock.run()
                first.fail(Oops())
            }
            return Future<Void>(on: .immediate, immediate: {})
                .flatMap(on: .immediate) { runs.increment() == 1 ? first.future : late }
                .hedged(after: .zero, on: clock.scheduler)
        }
    }
}

/// A future that a blocked scheduler could complete, beside one that never completes.
enum BesideNever: String, Codable, CaseIterable, Sendable {
    case select, firstSuccess, timeout, succeed, steps

    private static let gate = Promise<Int>()

    func wait() {
        let (virtual, time) = (VirtualTime(), Duration.seconds(3600))
        let printer = virtual.scheduler
        let needing = Self.gate.future.map(on: printer) { $0 }
        let never = Future<Int>.never
        let future =
            switch self {
            case .select: Futures.select(between: [never, needing])
            case .firstSuccess: Future.firstSuccess(of: [needing, never])
            case .timeout: never.timeout(after: time, on: printer)
            case .succeed: never.succeed(with: 1, after: time, on: printer)
            case .steps:
                Futures.select(between: [
                    never.map(on: .immediate) { $0 }.flatMap(on: .immediate) { Future($0) }, needing,
                ])
            }
        printer.sync { _ = try? future.wait(timeout: .milliseconds(100)) }
    }
}

/// A future that a task on a blocked scheduler completes.
enum TaskOnScheduler: String, Codable, CaseIterable, Sendable {
    case task, step, lock, queue

    func wait() {
        let printer = Scheduler(label: "the printer")
        printer.sync {
            let future =
                switch self {
                case .task: Future(on: printer, task: { 1 })
                case .step: Future(on: printer, task: { 1 }).map(on: .immediate) { $0 }
                case .lock: FutureMutex().on(printer).run { () async in 1 }
                case .queue: FutureQueue().on(printer).run { () async in 1 }
                }
            _ = try? future.wait(timeout: .milliseconds(100))
        }
    }
}
