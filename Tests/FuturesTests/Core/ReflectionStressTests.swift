// Reflection: print and dump of each public class, while other threads use the object.

import Foundation
import Futures
import FuturesTesting
import Testing

@Suite struct ReflectionStressTests {
    /// The public classes. Each has an object, and an action that changes it.
    enum Subject: String, CaseIterable, Sendable {
        case Scheduler, FutureMutex, FutureSemaphore, Permit, FutureReadWriteLock, FutureCache
        case SingleFlight, FutureQueue, ResourcePool, KeyedFutureQueue, RetryBudget, SchedulerExecutor, Disposer
        case DisposeBag, VirtualTime, Timeline, CircuitBreaker
        // Not classes, but they refer to state that changes.
        case future, chain, promise, deferred, disposable, timer

        struct Made: Sendable {
            let object: any Sendable
            let use: @Sendable (Int) -> Void
        }

        func make() -> Made {
            switch self {
            case .Scheduler:
                let scheduler = Futures.Scheduler(label: "mine")
                return Made(object: scheduler) { _ in scheduler.async {} }
            case .FutureMutex:
                let mutex = Futures.FutureMutex()
                return Made(object: mutex) { _ in mutex.on(.immediate).enqueue { Future(1) } }
            case .FutureSemaphore:
                let semaphore = Futures.FutureSemaphore(count: 1)
                return Made(object: semaphore) { _ in
                    semaphore.acquire().onValue(on: .immediate) { $0.release() }
                }
            case .Permit:
                let semaphore = Futures.FutureSemaphore(count: 1)
                let permit = semaphore.acquire().success!
                return Made(object: permit) { number in
                    let waiting = semaphore.acquire()
                    if number == 50 { permit.release() }
                    waiting.cancel()
                }
            case .FutureReadWriteLock:
                let lock = Futures.FutureReadWriteLock()
                return Made(object: lock) { number in
                    if number % 2 == 0 {
                        lock.reading.on(.immediate).enqueue { Future(1) }
                    } else {
                        lock.writing.on(.immediate).enqueue { Future(1) }
                    }
                }
            case .FutureCache:
                let cache = Futures.FutureCache<String, [Int]>(maxCount: 5)
                return Made(object: cache) { number in
                    _ = cache.future(on: .immediate, for: "\(number % 20)") { Future([number, 1, 2, 3]) }
                    if number % 7 == 0 { cache.removeAll() }
                }
            case .SingleFlight:
                let flights = Futures.SingleFlight<String, [Int]>()
                return Made(object: flights) { number in
                    _ = flights.future(on: .immediate, for: "\(number % 20)") { Future([number, 1, 2, 3]) }
                }
            case .FutureQueue:
                let queue = Futures.FutureQueue(resource: "file", maxConcurrentCount: 2)
                return Made(object: queue) { number in
                    queue.on(.immediate).enqueue { _ in Future("\(number)") }
                    if number % 9 == 0 { queue.cancelAll() }
                }
            case .ResourcePool:
                let pool = Futures.ResourcePool(maxCount: 2, callTimeout: testTimeout, on: .immediate) {
                    Future("connection")
                }
                return Made(object: pool) { _ in pool.on(.immediate).enqueue { Future($0) } }
            case .KeyedFutureQueue:
                let queue = Futures.KeyedFutureQueue<String>()
                return Made(object: queue) { number in
                    queue["\(number % 10)"].on(.immediate).enqueue { Future(number) }
                }
            case .CircuitBreaker:
                let breaker = Futures.CircuitBreaker(maxFailures: 2, resetTimeout: .zero)
                return Made(object: breaker) { number in
                    _ = breaker.future(on: .immediate) {
                        number % 3 == 0 ? Future(1) : Future(error: CancellationError())
                    }
                    if number % 7 == 0 { breaker.reset() }
                }
            case .RetryBudget:
                let budget = Futures.RetryBudget()
                let policy = RetryPolicy(.constant(.zero), maxRepetitions: 1, budget: budget)
                return Made(object: budget) { _ in
                    Future<Int>(error: Oops()).retry(policy, on: .immediate).onError(on: .immediate) { _ in }
                }
            case .SchedulerExecutor:
                let executor = Futures.SchedulerExecutor(Futures.Scheduler(label: "actor's"))
                return Made(object: executor) { _ in executor.scheduler.async {} }
            case .Disposer:
                let disposer = Futures.Disposer {}
                return Made(object: disposer) { number in if number == 50 { disposer.dispose() } }
            case .DisposeBag:
                let bag = Futures.DisposeBag()
                return Made(object: bag) { number in
                    let promise = Promise<Int>()
                    bag += promise.future
                    bag.innerBag().dispose()
                    promise.succeed(number)
                }
            case .Timeline:
                let time = FuturesTesting.VirtualTime()
                let timeline = time.timeline(of: time.future("-1"))
                return Made(object: timeline) { _ in time.scheduler.sync { time.advance(by: .milliseconds(10)) } }
            case .VirtualTime:
                let time = FuturesTesting.VirtualTime()
                return Made(object: time) { _ in time.scheduler.async(after: .seconds(1)) {}.dispose() }
            case .chain:
                let promises = (0..<3).map { _ in Promise<Int>() }
                let queue = Futures.FutureQueue()
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
            case .future:
                let promise = Promise<[Int]>()
                let future = promise.future.map(on: .immediate) { $0 + [1] }
                return Made(object: future) { number in
                    future.onValue(on: .immediate) { _ in }.cancel()
                    if number == 50 { promise.succeed([1, 2, 3, 4]) }
                }
            case .promise:
                let promise = Promise<[Int]>()
                return Made(object: promise) { number in
                    promise.future.onValue(on: .immediate) { _ in }
                    if number == 50 { promise.succeed([1, 2, 3, 4]) }
                }
            case .deferred:
                let deferred = Futures.Deferred { 1 }.map { $0 + 1 }
                return Made(object: deferred) { _ in _ = deferred.start(on: .immediate) }
            case .disposable:
                let promise = Promise<Int>()
                let disposable = promise.future.disposable
                return Made(object: disposable) { number in
                    Futures.DisposeBag(disposable).dispose()
                    if number == 50 { promise.succeed(1) }
                }
            case .timer:
                let timer = Futures.Scheduler.background.async(after: .seconds(60)) {}
                return Made(object: timer) { number in if number == 50 { timer.dispose() } }
            }
        }
    }

    @Test(arguments: Subject.allCases)
    func `an object can be printed and dumped while other threads use it`(_ subject: Subject) {
        let made = subject.make()
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
        if subject.rawValue.first!.isUppercase {
            #expect("\(made.object)".hasPrefix(subject.rawValue))
            #expect(made.object is any CustomReflectable)
        }
    }

    @Test func `each public class has a mirror of its own`() throws {
        let sources = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        // On a device, there are no sources.
        guard FileManager.default.fileExists(atPath: sources.path) else { return }
        var names: Set<String> = []
        for library in ["Futures", "FuturesTesting"] {
            let files = FileManager.default.enumerator(
                at: sources.appendingPathComponent(library), includingPropertiesForKeys: nil)
            for case let file as URL in files! where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for match in text.matches(of: /(?m)^ *(?:@\S+ )*(?:public|open) (?:final )?(?:class|actor) (\w+)/) {
                    names.insert(String(match.1))
                }
            }
        }
        #expect(names.count > 10)
        // There is one object of this class, which has no state.
        names.remove("LazySequenceIsNotSendable")
        // It is shown as its queue is.
        names.remove("Line")
        // A new class needs an entry here: an object, and an action that changes it meanwhile.
        #expect(names == Set(Subject.allCases.map(\.rawValue).filter { $0.first!.isUppercase }))
    }

    @Test func `descriptions show an object's state`() {
        let queue = FutureQueue()
        let gate = Promise<Int>()
        for _ in 0..<3 { queue.on(.immediate).enqueue { gate.future } }
        #expect("\(queue)" == "FutureQueue(running: 1, waiting: 2, isPaused: false, isClosed: false)")
        let bag = DisposeBag(Disposer {}, Disposer {})
        #expect("\(bag)" == "DisposeBag(count: 2, isDisposed: false)")
        #expect(Mirror(reflecting: bag).children.first?.value as? Int == 2)
    }
}
