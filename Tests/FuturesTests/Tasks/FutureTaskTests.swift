// Futures of asynchronous closures and tasks, and tasks of futures. Contract/Async.md

import Futures
import Testing

private enum Trace {
    @TaskLocal static var name = "none"
}

@Suite struct FutureTaskTests {
    @Test func `an asynchronous closure starts immediately, and its result is the future's`() async {
        let begun = Promise<Void>()
        let future = Future {
            begun.succeed()
            return try await Future("done").value as String
        }
        _ = await begun.future.arrival()
        #expect(try! await future.arrival().get() == "done")
        let failed = Future<Int> {
            await Task.yield()
            throw Oops(1)
        }
        let result = await failed.arrival()
        #expect(throws: Oops(1)) { try result.get() }
    }

    @Test func `nothing starts before build, and each build starts another run`() async throws {
        let runs = Shared(0)
        let builder = Future<Int>.Builder {
            await Task.yield()
            return runs.increment()
        }
        #expect(runs.value == 0)
        let first: Int = try await builder.build().value
        let second: Int = try await builder.build().value
        #expect([first, second] == [1, 2])
    }

    private static let forms: [@Sendable (@escaping @Sendable () async throws -> Int) -> Future<Int>] = [
        { work in Future { try await work() } }, { work in Future(awaiting: Task { try await work() }) },
        { work in Deferred { try await work() }.start() },
    ]

    @Test(arguments: 0..<forms.count)
    func `cancelling the future completes it immediately and cancels its task`(_ form: Int) async throws {
        let (isCancelled, begun) = (Promise<Void>(), Promise<Void>())
        let start = Self.forms[form]
        let future = start {
            try await withTaskCancellationHandler {
                begun.succeed()
                return try await Future<Int>.never.value
            } onCancel: {
                isCancelled.succeed()
            }
        }
        try await begun.future.value
        future.cancel()
        #expect(future.isCancelled)
        try await isCancelled.future.value
    }

    @Test func `listeners are not called in a cancelled task`() async {
        let gate = Promise<Void>()
        let heard = Future {
            _ = await gate.future.arrival()
            return 1
        }.map(on: .immediate) { _ in Task.isCancelled }
        gate.succeed()
        #expect(try! await heard.arrival().get() == false)
    }

    @MainActor @Test func `tasks of one actor start in the order in which their futures were created`() async {
        var order: [Int] = []
        let futures = (0..<100).map { number in
            Future {
                order.append(number)
                await Task.yield()
            }
        }
        _ = await join(futures).arrival()
        #expect(order == Array(0..<100))
    }

    @Test func `a task inherits the task-local values of the code that creates its future`() async {
        let future = Trace.$name.withValue("here") {
            Future {
                await Task.yield()
                return Trace.name
            }
        }
        #expect(try! await future.arrival().get() == "here")
    }

    @Test func `a task has the priority that was given`() async {
        let future = Future(priority: .low) {
            await Task.yield()
            return Task.currentPriority
        }
        #expect(try! await Task(priority: .low) { try await future.value }.value <= .medium)
    }

    @Test func `a future of a task has its result`() async throws {
        #expect(try await Future(awaiting: Task { 4 }).value == 4)
        await #expect(throws: Oops(3)) { try await Future<Int>(awaiting: Task { throw Oops(3) }).value }
    }

    @Test func `releasing a future does not cancel its task`() async {
        let (gate, isOver) = (Promise<Void>(), Promise<Bool>())
        _ = Future {
            _ = await gate.future.arrival()
            isOver.succeed(Task.isCancelled)
        }
        gate.succeed()
        #expect(try! await isOver.future.arrival().get() == false)
    }
}
