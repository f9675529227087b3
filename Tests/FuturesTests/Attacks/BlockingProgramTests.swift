// BlockingProgram: a callback that starts something and waits for it in some way.

import Dispatch
import Foundation
import Futures
import Testing

extension Attacks {
    @Suite struct Blocking {
        @Test func `a callback can wait in any way for work that it started or turns that it released`() {
            Attacks.run(isDebug ? 200 : 2000) { random in BlockingRun(BlockingProgram(&random)).complaint() }
        }
    }
}

/// A random nesting of callbacks, with ways to start or release something and ways to wait for the effect.
struct BlockingProgram: Sendable {
    enum Around: Sendable, CaseIterable { case immediate, current, concurrent, completion, flatMap, cancel }
    enum Waiting: Sendable, CaseIterable {
        case wait, semaphore, sync, perform, nested, nestedElsewhere, syncNested, joined, twice
    }
    enum Action: Sendable, CaseIterable {
        case hop, map, delay, task, complete, otherThreadWaits, otherThreadCancels, permit, lease, queue, batch, drained
    }

    let around: [Around]
    let actions: [(Action, Waiting)]
    let onScheduler: Bool

    init(_ random: inout SplitMix) {
        around = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            random.oneIn(3) ? random.pick(Around.allCases) : .immediate
        }
        actions = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let (action, waiting) = (random.pick(Action.allCases), random.pick(Waiting.allCases))
            // In place, a callback is called behind the one in progress (Contract/Schedulers.md), or in its `wait`.
            return (action, action == .map && waiting == .semaphore ? .wait : waiting)
        }
        onScheduler = random.oneIn(3)
    }
}

final class BlockingRun: Sendable {
    private let program: BlockingProgram
    private let other = Scheduler(label: "other"), third = Scheduler(label: "third"), mine = Scheduler(label: "mine")
    private let missed = Shared<String?>(nil)

    init(_ program: BlockingProgram) { self.program = program }

    func complaint() -> String? {
        let done = DispatchSemaphore(value: 0)
        let body: @Sendable () -> Void = { [self] in
            nest(program.around[...]) { [self] in
                for (action, waiting) in program.actions {
                    // After the first hang, further waits would only time out, too.
                    guard missed.change({ $0 == nil }) else { break }
                    let (future, last) = act(action)
                    let isThere = wait(waiting, future)
                    withExtendedLifetime(last) {}
                    if !isThere { missed.value = "\(action) is not there for \(waiting): \(program)" }
                }
                done.signal()
            }
        }
        if program.onScheduler { mine.async(body) } else { Thread.detachNewThread(body) }
        // A wait that hangs times out before this one.
        guard done.wait(timeout: .testTimeout) == .success else { return "it hangs: \(program)" }
        return missed.value
    }

    private func nest(_ around: ArraySlice<BlockingProgram.Around>, _ body: @escaping @Sendable () -> Void) {
        guard let first = around.first else { return body() }
        let inner: @Sendable () -> Void = { [self] in nest(around.dropFirst(), body) }
        switch first {
        case .immediate: Future(1).onValue(on: .immediate) { _ in inner() }
        case .current: Future(1).onValue { _ in inner() }
        case .concurrent: Future(1).onValue(on: .background) { _ in inner() }
        case .completion:
            let promise = Promise<Int>()
            promise.future.map(on: .immediate) { $0 }.onResult(on: .immediate) { _ in inner() }
            promise.succeed(1)
        case .flatMap:
            Future(1).flatMap(on: .immediate) { _ -> Future<Int> in
                inner()
                return Future(2)
            }.onValue(on: .immediate) { _ in }
        case .cancel:
            Future<Int>(on: .immediate) { completion in
                Disposer {
                    _ = completion
                    inner()
                }
            }.cancel()
        }
    }

    /// Waits for `future` in the given way; false if it takes too long.
    private func wait(_ waiting: BlockingProgram.Waiting, _ future: Future<Int>) -> Bool {
        let wait: @Sendable () -> Bool = { (try? future.wait(timeout: testTimeout / 4)) != nil }
        switch waiting {
        case .wait: return wait()
        case .semaphore:
            // A separate hop: in place, the callback would be called behind this one.
            let signal = Signal()
            future.onResult(on: third) { _ in signal.send() }
            return signal.comes()
        case .sync: return other.sync { wait() }
        case .perform: return other.perform { wait() }
        case .nested: return inCallback(.immediate, wait)
        case .nestedElsewhere: return inCallback(.background, wait)
        case .syncNested: return other.sync { inCallback(.immediate, wait) }
        case .joined:
            return (try? join([future, future.map(on: .immediate) { $0 }]).wait(timeout: testTimeout / 4)) != nil
        case .twice: return wait() && wait()
        }
    }

    /// Waits in a callback, which is called in the wait here.
    private func inCallback(_ scheduler: Scheduler, _ wait: @escaping @Sendable () -> Bool) -> Bool {
        let result = Shared<Bool?>(nil)
        let ended = Future(2).map(on: scheduler) { _ in result.value = wait() }
        return result.value ?? ((try? ended.wait(timeout: testTimeout / 4)) != nil && result.value == true)
    }

    /// Starts or releases something that completes the future. Returns that future, and an object to retain meanwhile.
    private func act(_ action: BlockingProgram.Action) -> (Future<Int>, Any?) {
        switch action {
        case .hop: return (Future(1).map(on: third) { $0 }, nil)
        case .map: return (Future(1).map(on: .immediate) { $0 }.flatMap(on: .immediate) { Future($0) }, nil)
        case .delay: return (Future(1).delay(by: .microseconds(100), on: third), nil)
        // Not on the concurrent pool, whose threads the tests may block.
        case .task: return (Future(on: third, task: { 1 }), nil)
        case .complete:
            let promise = Promise<Int>()
            let future = promise.future.map(on: third) { $0 }
            promise.succeed(1)
            return (future, nil)
        case .otherThreadWaits:
            let (promise, answer) = (Promise<Int>(), Promise<Int>())
            let isThere = Signal()
            Thread.detachNewThread {
                isThere.send()
                if let value = try? promise.future.wait(timeout: testTimeout / 4) { answer.succeed(value) }
            }
            _ = isThere.comes()
            promise.succeed(1)
            return (answer.future, nil)
        case .otherThreadCancels:
            let disposed = Promise<Int>()
            let future = stoppable { disposed.succeed(1) }
            let joined = join([future, .never])
            Thread.detachNewThread { joined.cancel() }
            return (disposed.future, joined)
        case .permit:
            let semaphore = FutureSemaphore(count: 1)
            let permit = semaphore.acquire().success!
            let next = semaphore.acquire().map(on: third) { _ in 1 }
            permit.release()
            return (next, nil)
        case .lease:
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: third) { Future(1) }
            let running = pool.on(third).enqueue { _ in stoppable {} }
            let next = pool.on(third).enqueue { _ in Future(1) }
            running.cancel()
            return (next, pool)
        case .queue:
            let (queue, promise) = (FutureQueue(), Promise<Int>())
            queue.on(third).enqueue { promise.future }
            let next = queue.on(third).run { 1 }
            promise.succeed(1)
            return (next, queue)
        case .batch:
            let queue = FutureQueue()
            let batch = queue.on(third).enqueueBatch { [self] inner in inner.on(third).enqueue { stoppable {} } }
            let next = queue.on(third).enqueue { Future(1) }
            batch.cancel()
            return (next, queue)
        case .drained:
            let (queue, promise) = (FutureQueue(), Promise<Int>())
            queue.on(third).enqueue { promise.future }
            let drained = queue.drained().map(on: third) { 1 }
            promise.fail(Oops())
            return (drained, queue)
        }
    }
}
