// Reflection: a future in a debugger's dump or a failed test.

import Futures
import Testing

@Suite struct ReflectionTests {
    @Test func `a future's dump shows its result, and not its implementation`() {
        let promise = Promise<Int>()
        let future = promise.future.map(on: .immediate) { $0 + 1 }
        #expect(dumped(future).contains("result: nil"))
        promise.succeed(1)
        #expect(dumped(future).contains("success: 2"))
        #expect(!dumped(future).contains("word"))
        #expect(!dumped(promise).contains("word"))
    }

    @Test func `a pending future says what it waits for, and how many listeners it has`() {
        let line = #line + 1
        let promise = Promise<Int>()
        let made = "of the future made at FuturesTests/ReflectionTests.swift:\(line)"
        let future = promise.future.map(on: .main) { $0 }.flatMap(on: .background) { Future($0) }
        #expect("\(future)" == "Future<Int>(result: nil, waitsFor: \"a completion \(made)\", listenerCount: 0)")
        #expect("\(promise.future)".contains("listenerCount: 1"))
        #expect("\(promise)".contains("result: nil"))
        let operation = Future(on: .main, immediate: { 1 })
        #expect("\(operation)".contains("a callback on Scheduler(com.apple.main-thread)") || operation.isCompleted)
        let queue = FutureQueue()
        queue.on(.immediate).enqueue { promise.future }
        let waiting = queue.on(.immediate).enqueue { Future(1) }.map(on: .immediate) { $0 }
        let enqueued = #line - 1
        let turn = "a turn, for the operation enqueued at FuturesTests/ReflectionTests.swift:\(enqueued)"
        #expect("\(waiting)".contains(turn))
        let all = join([future, waiting, Future<Int>.never, Future(1)])
        #expect("\(all)".contains("3 futures (a completion \(made); a turn, for"))
        #expect("\(all)".contains("Future.never)"))
        // That of a link is that of the future that it passes on.
        let linked = Future(1).flatMap(on: .immediate) { _ in promise.future }
        let step = linked.map(on: .immediate) { $0 }
        #expect("\(linked)".contains(made) && "\(step)".contains(made))
        promise.succeed(1)
        #expect("\(step)" == "Future<Int>(result: Optional(Swift.Result<Swift.Int, Swift.Error>.success(1)))")
        withExtendedLifetime((all, waiting)) {}
    }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}
