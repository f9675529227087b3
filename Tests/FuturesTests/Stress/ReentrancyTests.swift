// Re-entrancy: all actions on futures inside callbacks, disposals and deinits.

import Futures
import Synchronization
import Testing

@Suite struct ReentrancyTests {
    /// The place in which the action is called.
    enum Place: CaseIterable {
        case listener, cancelHandler, alwaysHandler, transform, returningTransform, operation, dispose
        case deinitOfValue, deinitOfError, deinitOfCapture, queue, bag, predicate, disposer
    }

    /// The actions, on the future whose listeners are being called, and on others.
    enum Action: CaseIterable {
        case complete, abandon, cancelSource, cancelSelf, cancelOther, attach, attachMany, dispose, forget, repeated,
            link
        case enqueue, waitForCompleted
    }

    @Test(arguments: Place.allCases, Action.allCases)
    func `no action in any place deadlocks or calls twice`(_ place: Place, _ action: Action) {
        let scene = Scene()
        scene.act = { [unowned scene] in scene.perform(action) }
        scene.run(place)
        #expect(scene.actionCount == 1)
        #expect(scene.callsOfEach.allSatisfy { $0 <= 1 })
        // A listener of a completed future that was not cancelled was called.
        #expect(scene.callsOfSteady == 1)
        weak let leaked = scene.probe
        scene.forget()
        #expect(leaked == nil)
    }

    @Test func `a promise that is completed again inside its own listener ignores it`() {
        let promise = Promise<Int>()
        let log = Log()
        promise.future.onValue(on: .immediate) {
            log.add($0)
            #expect(!promise.succeed($0 + 1))
            promise.future.onValue(on: .immediate) { log.add($0 * 10) }
        }
        promise.future.onValue(on: .immediate) { log.add($0 * 100) }
        #expect(promise.succeed(1))
        #expect(log.entries == [1, 10, 100])
    }

    @Test func `a listener that releases the last reference to its own future runs to its end`() {
        let holder = Holder()
        holder.promise = Promise<Token>()
        let log = Log()
        holder.future = holder.promise!.future
            .map(on: .immediate) { $0 }
            .onValue(on: .immediate) { token in
                _ = holder.future.take()
                _ = holder.promise.take()
                log.add(token.number)
            }
            .onValue(on: .immediate) { log.add($0.number + 1) }
        let promise = holder.promise!
        promise.succeed(Token(1))
        #expect(log.entries == [1, 2])
    }

    @Test func `a value's deinit can complete, cancel and attach`() {
        let log = Log()
        let other = Promise<Int>()
        other.future.onValue(on: .immediate) { log.add($0) }
        let doomed = Promise<Int>()
        let last = doomed.future.onCancel(on: .immediate) { log.add(3) }
        do {
            let promise = Promise<Token>()
            promise.future.map(on: .immediate) { $0.number }.onValue(on: .immediate) { log.add($0) }
            promise.succeed(
                Token(1) {
                    other.succeed(2)
                    last.cancel()
                    other.future.onValue(on: .immediate) { log.add($0 * 2) }
                })
        }
        #expect(log.entries == [1, 2, 3, 4])
    }

    @Test func `a hundred thousand nested deinits do not recurse`() {
        // Each value retains the future of the next value.
        final class Link: Sendable {
            let next: Future<Link?>
            init(_ next: Future<Link?>) { self.next = next }
        }
        var future = Future<Link?>(nil)
        for _ in 0..<100_000 { future = Future(Link(future)).map(on: .immediate) { $0 } }
        future = Future(nil)
    }

    @Test func `a transform can cancel its own future, and the future that it then returns is cancelled`() {
        let holder = Holder()
        let inner = Promise<Token>()
        let gate = Promise<Token>()
        holder.future = gate.future.flatMap(on: .immediate) { _ in
            holder.future?.cancel()
            return inner.future
        }
        gate.succeed(Token(1))
        #expect(holder.future?.result.isCancelled == true)
        #expect(inner.future.result.isCancelled)
    }

    @Test func `a transform that returns its own future fails`() {
        let holder = Holder()
        let gate = Promise<Token>()
        holder.future = gate.future.flatMap(on: .immediate) { _ in holder.future! }
        gate.succeed(Token(1))
        guard case .failure(FutureError.awaitsItself)? = holder.future?.result else {
            Issue.record("\(String(describing: holder.future?.result))")
            return
        }
    }

    @Test func `a cancel in a dispose during a cancel neither deadlocks nor calls twice`() {
        let log = Log()
        let holder = Holder()
        let source = Future<Token>(on: .immediate) { completion in
            Disposer {
                log.add(1)
                holder.future?.cancel()
                completion(.success(Token(9)))
                holder.future?.onResult(on: .immediate) { _ in log.add(2) }
                holder.future?.cancel()
            }
        }
        holder.future = source.onCancel(on: .immediate) { log.add(3) }.always(on: .immediate) { log.add(4) }
        holder.future?.cancel()
        #expect(log.entries == [1, 2, 3, 4])
    }

    @Test func `a bag's own disposables can dispose it and add to it`() {
        let log = Log()
        let bag = DisposeBag()
        bag += {
            log.add(1)
            bag.dispose()
            bag += { log.add(3) }
        }
        bag += { log.add(2) }
        bag.dispose()
        bag.dispose()
        #expect(log.entries.sorted() == [1, 2, 3])
        #expect(bag.isEmpty)
    }

    @Test func `a wait inside a callback returns`() throws {
        let log = Log()
        let promise = Promise<Int>()
        promise.future.onValue(on: .immediate) { _ in
            let background = Future(on: .background, immediate: { 5 })
            log.add(try background.wait())
            log.add(try promise.future.wait())
        }
        promise.succeed(1)
        #expect(log.entries == [5, 1])
    }

    @Test func `waiting for a step of a source that has failed and released its error times out`() {
        struct Failure: Error {}
        let never = Promise<Int>()
        let limit = Shared<Duration?>(nil)
        // On a thread of its own, so that a hang is reported.
        let hasReturned = onAnotherThread {
            let pending = Future<Int>(on: .immediate, immediate: { throw Failure() })
                .flatMapError(on: .immediate) { _ in never.future }
            limit.value = timeLimit { try pending.wait(timeout: .milliseconds(1)) }
        }
        #expect(hasReturned && limit.value == .milliseconds(1))
        never.succeed(1)
    }
}

extension Result<ReentrancyTests.Token, any Error>? {
    fileprivate var isCancelled: Bool {
        if case .failure(is CancellationError)? = self { true } else { false }
    }
}

extension ReentrancyTests {
    /// A counted value whose deinit calls a closure.
    final class Token: Sendable {
        let number: Int
        private let end: @Sendable () -> Void

        init(_ number: Int, end: @escaping @Sendable () -> Void = {}) {
            self.number = number
            self.end = end
        }

        deinit { end() }
    }

    // Safe to share: these tests use one thread.
    final class Holder: @unchecked Sendable {
        var future: Future<Token>?
        var promise: Promise<Token>?
    }

    final class Log: @unchecked Sendable {
        private(set) var entries: [Int] = []
        func add(_ number: Int) { entries.append(number) }
    }
}
