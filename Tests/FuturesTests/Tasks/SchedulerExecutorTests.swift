// Executors: asynchronous code that runs on a scheduler. Contract/Async.md

import Dispatch
import Futures
import Testing

private actor Account {
    private let executor: SchedulerExecutor
    private(set) var balance = 0

    init(on scheduler: Scheduler) { executor = SchedulerExecutor(scheduler) }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func deposit(_ amount: Int) -> Scheduler {
        balance += amount
        return .current
    }

    func transfer(_ amount: Int, to other: Account) async -> Bool {
        balance -= amount
        _ = await other.deposit(amount)
        return executor.scheduler.isCurrent
    }

    nonisolated func assumedDeposit(_ amount: Int) { assumeIsolated { $0.balance += amount } }
}

@Suite struct SchedulerExecutorTests {
    @Test(arguments: [Scheduler(label: "serial"), .init(queue: DispatchQueue(label: "queue"))])
    func `an actor with a scheduler's executor runs on that scheduler`(_ scheduler: Scheduler) async {
        let (one, two) = (Account(on: scheduler), Account(on: scheduler))
        #expect(await one.deposit(5) == scheduler)
        #expect(await one.transfer(3, to: two))
        #expect(await two.balance == 3)
        let deposited = Future(on: scheduler, immediate: { one.assumedDeposit(10) })
        _ = await deposited.arrival()
        #expect(await one.balance == 12)
    }

    @Test(arguments: [Scheduler(label: "serial"), .background, .main])
    func `an asynchronous closure with a scheduler runs there, also after a suspension`(_ scheduler: Scheduler) async {
        let gate = Promise<Void>()
        let future = Future(on: scheduler) {
            let before = Scheduler.current
            _ = await gate.future.arrival()
            return [before, Scheduler.current]
        }
        gate.succeed()
        #expect(try! await future.arrival().get() == [scheduler, scheduler])
    }

    @Test func `an asynchronous closure on .immediate runs on the concurrent pool`() async {
        let future = Future(on: .immediate) {
            await Task.yield()
            return 1
        }
        #expect(try! await future.arrival().get() == 1)
        let preferring = await Task(executorPreference: Scheduler.immediate) {
            await Task.yield()
            return Scheduler.current
        }.value
        #expect(preferring == .background)
    }

    @Test func `code that is not on an actor's scheduler is not isolated to the actor`() async {
        expectTrap(
            await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent],
                performing: { Account(on: Scheduler(label: "account")).assumedDeposit(1) }),
            saying: "Scheduler(account), which its actor runs on")
    }

    @Test func `perform does not give exclusive use of a scheduler that is an actor's executor`() async {
        expectTrap(
            await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent],
                performing: {
                    let scheduler = Scheduler(label: "account")
                    scheduler.perform { Account(on: scheduler).assumedDeposit(1) }
                }),
            saying: "no exclusive access to Scheduler(account)")
    }
}
