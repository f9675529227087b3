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
        let operation = Future(on: .main, immediate: { 1 })
        #expect("\(operation)".contains("a callback on Scheduler(com.apple.main-thread)") || operation.isCompleted)
        let queue = FutureQueue()
        queue.on(.immediate).enqueue { promise.future }
        let waiting = queue.on(.immediate).enqueue { Future(1) }.map(on: .immediate) { $0 }
        let enqueued = #line - 1
        let turn = "a turn, for the operation enqueued at FuturesTests/ReflectionTests.swift:\(enqueued)"
        #expect("\(waiting)".contains(turn))
        let all = join([future, waiting, Future<Int>.never, Future(1)])
        #expect("\(all)".contains("3 futures"))
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

@Suite struct ReflectionStressTests {
    /// An object of each kind, and an action that changes it.
    private static let subjects: KeyValuePairs<String, @Sendable () -> Made> = [
        "FutureCache": {
            let cache = FutureCache<String, [Int]>(maxCount: 5)
            return Made(object: cache) { number in
                _ = cache.future(on: .immediate, for: "\(number % 20)") { Future([number, 1, 2, 3]) }
                if number % 7 == 0 { cache.removeAll() }
            }
        },
        "ResourcePool": {
            let pool = ResourcePool(maxCount: 2, callTimeout: testTimeout, on: .immediate) { Future("connection") }
            return Made(object: pool) { _ in pool.on(.immediate).enqueue { Future($0) } }
        },
        "KeyedFutureQueue": {
            let queue = KeyedFutureQueue<String>()
            return Made(object: queue) { queue["\($0 % 10)"].on(.immediate).enqueue { Future(1) } }
        },
        "a chain": {
            let (promises, queue) = ((0..<3).map { _ in Promise<Int>() }, FutureQueue())
            let chain = join(
                promises.map { promise in
                    Future(1).flatMap(on: .immediate) { _ in queue.on(.immediate).enqueue { promise.future } }
                })
            return Made(object: chain) { number in
                let listening = chain.onResult(on: .immediate) { _ in }
                queue.on(.immediate).enqueue { Future(1) }.cancel()
                if number % 20 == 0 { promises[number / 20 % 3].succeed(number) }
                listening.disposable.dispose()
            }
        },
    ]

    private struct Made: Sendable {
        let object: any Sendable
        let use: @Sendable (Int) -> Void
    }

    @Test(arguments: subjects.indices)
    func `an object can be printed and dumped while other threads use it`(_ index: Int) {
        let (name, made) = (Self.subjects[index].key, Self.subjects[index].value())
        let look: @Sendable () -> Void = {
            for _ in 0..<100 {
                var text = ""
                dump(made.object, to: &text)
                #expect(text.utf8.count < 2_000, "\(text.prefix(200))")
                #expect(String(reflecting: made.object).utf8.count < 1_000)
                #expect("\(made.object)".utf8.count < 1_000)
            }
        }
        let use: @Sendable () -> Void = { for number in 0..<200 { made.use(number) } }
        race(look, use, use)
        if name.first!.isUppercase { #expect("\(made.object)".hasPrefix(name)) }
    }

    @Test func `descriptions show an object's state`() {
        let (queue, gate) = (FutureQueue(), Promise<Int>())
        for _ in 0..<3 { queue.on(.immediate).enqueue { gate.future } }
        #expect("\(queue)" == "FutureQueue(running: 1, waiting: 2, isPaused: false, isClosed: false)")
        let bag = DisposeBag()
        for _ in 0..<2 { bag += {} }
        #expect("\(bag)" == "DisposeBag(count: 2, isDisposed: false)")
        #expect(Mirror(reflecting: bag).children.first?.value as? Int == 2)
    }
}
