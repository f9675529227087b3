// wait: futures that need a scheduler, or a timer of it, that the wait blocks.

import Dispatch
import Futures
import FuturesTesting
import Testing

@Suite struct WaitDeadlockCheckTests {
    // The code that waits is in synchronous functions, as `wait` is unavailable in async ones.
    @Test func `wait traps if the future needs a timer of a blocked scheduler that has its own clock`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let time = VirtualTime()
            time.scheduler.sync { _ = try? Future(1).delay(by: .milliseconds(1)).wait(timeout: .milliseconds(100)) }
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
            ] { #expect(try future.wait(timeout: testTimeout) == 1) }
        }
    }

    @Test func `wait traps if the future needs a task on a blocked scheduler`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let printer = Scheduler(label: "the printer")
            printer.sync { _ = try? FutureQueue().on(printer).run { () async in 1 }.wait(timeout: .milliseconds(100)) }
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
            ] { #expect(try future.wait(timeout: testTimeout) == 1) }
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
}
