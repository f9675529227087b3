// Re-entrancy: all actions on futures inside callbacks, disposals and deinits. Contract/Life.md

import Futures
import Testing

/// A value whose deinit calls a closure.
private final class Token: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void = {}) { self.end = end }
    deinit { end() }
}

private struct Failure: Error {
    let token: Token
}

/// Futures in every relation to the one whose listeners are being called.
private final class ReentrantScene: Sendable {
    let promise = Shared<Promise<Token>?>(Promise())
    let child = Shared<Future<Token>?>(nil)
    let bag = Shared<DisposeBag?>(DisposeBag())
    let queue = FutureQueue()
    let calls = Shared<[AtomicCounter]>([])
    /// Captured by every listener, to detect leaks.
    let probe: Shared<Token?>
    let isReleased = Promise<Void>()

    init() { probe = Shared(Token { [isReleased] in isReleased.succeed() }) }

    func observe(_ future: Future<Token>?) {
        let (counter, probe) = (AtomicCounter(), probe.value)
        calls.change { $0.append(counter) }
        future?.onResult(on: .immediate) { _ in withExtendedLifetime(probe) { _ = counter.up() } }
    }

    /// Releases the served futures, and with them what they retain.
    func release() {
        promise.value = nil
        child.value = nil
    }

    func actOnAll() {
        let (source, child) = (promise.value?.future, child.value)
        for future in [source, child] {
            for _ in 0..<100 { observe(future) }
            observe(future?.onErrorRepeat(on: .immediate, maxRepetitions: 1) { _ in true })
            future?.map(on: .immediate) { $0 }.always(on: .immediate) {}.cancel()
            if let future { observe(Future().flatMap(on: .immediate) { Future().flatMap(on: .immediate) { future } }) }
            _ = try? future?.wait(timeout: .milliseconds(1))
        }
        observe(queue.on(.immediate).enqueue { Future(Token()) })
        if let child { bag.value? += child }
        bag.value?.dispose()
        promise.value?.succeed(Token())
        child?.cancel()
        source?.cancel()
        release()
    }
}

@Suite struct ReentrancyTests {
    enum Place: CaseIterable {
        case listener, cancelHandler, alwaysHandler, transform, returningTransform, operation, dispose
        case deinitOfValue, deinitOfError, deinitOfCapture, queue, bag, predicate, disposer
    }

    /// No action deadlocks there, also on another thread meanwhile, and none calls a listener twice.
    @Test(arguments: Place.allCases, [false, true])
    func `no lock is held while a callback, a dispose or a deinit runs`(_ place: Place, isElsewhere: Bool) throws {
        let (scene, steady, actions) = (ReentrantScene(), AtomicCounter(), AtomicCounter())
        let act: @Sendable () -> Void = { [unowned scene] in
            guard actions.up() == 1 else { return }
            // With a lock held, it would deadlock.
            if isElsewhere { #expect(onAnotherThread { scene.actOnAll() }) } else { scene.actOnAll() }
        }
        scene.observe(scene.promise.value?.future)
        attach(place, to: scene.promise.value!.future, scene, act)
        scene.observe(scene.promise.value?.future)
        let heard = Promise<Void>()
        scene.promise.value?.future.onResult(on: .immediate) { _ in
            steady.up()
            heard.succeed()
        }
        finish(place, scene, act)
        // An action waits, and another thread calls what is behind that.
        try heard.future.wait(timeout: .seconds(60))
        #expect(actions.value >= 1)
        #expect(scene.calls.change { $0.allSatisfy { $0.value <= 1 } })
        // A listener of a completed future that was not cancelled was called.
        #expect(steady.value == 1)
        scene.release()
        (scene.bag.value, scene.probe.value) = (nil, nil)
        try scene.isReleased.future.wait(timeout: .seconds(60))
    }

    private func attach(
        _ place: Place, to source: Future<Token>, _ scene: ReentrantScene, _ act: @escaping @Sendable () -> Void
    ) {
        let acting: @Sendable (Token?) -> Token = { _ in
            act()
            return Token()
        }
        scene.child.value =
            switch place {
            case .listener: source.onResult(on: .immediate) { _ in act() }
            case .cancelHandler: source.onCancel(on: .immediate, act)
            case .alwaysHandler: source.always(on: .immediate, act)
            case .transform: source.map(on: .immediate, acting)
            case .returningTransform: source.flatMap(on: .immediate) { Future(acting($0)) }
            case .operation:
                source.flatMap(on: .immediate) { _ in Future<Token>(on: .immediate, immediate: { acting(nil) }) }
            case .dispose:
                source.flatMap(on: .immediate) { _ in
                    Future(on: .immediate) { completion in
                        completion(.success(Token()))
                        return Disposer(act)
                    }
                }
            case .deinitOfValue: source.map(on: .immediate) { _ in Token() }
            case .deinitOfError: source.recover(on: .immediate) { _ in Token() }
            case .deinitOfCapture:
                source.map(on: .immediate) { [token = Token(act)] value in withExtendedLifetime(token) { value } }
            case .queue: scene.queue.on(.immediate).enqueue { source }
            case .bag: source.onResult(on: .immediate) { [bag = scene.bag] _ in bag.value?.dispose() }
            case .predicate:
                source.onErrorRepeat(on: .immediate, maxRepetitions: 1) { _ in
                    act()
                    return true
                }
            case .disposer: source.onResult(on: .immediate) { [disposer = Disposer(act)] _ in disposer.dispose() }
            }
        if place == .queue { _ = scene.queue.on(.immediate).run(act) }
        if place == .bag { scene.bag.value! += act }
    }

    /// Completes the source so that the place is reached.
    private func finish(_ place: Place, _ scene: ReentrantScene, _ act: @escaping @Sendable () -> Void) {
        let promise = scene.promise.value!
        switch place {
        case .cancelHandler: promise.fail(CancellationError())
        case .predicate: promise.fail(Oops())
        case .deinitOfValue: promise.succeed(Token(act))
        case .deinitOfError: promise.fail(Failure(token: Token(act)))
        default: promise.succeed(Token())
        }
        if [.deinitOfValue, .deinitOfError, .deinitOfCapture].contains(place) { scene.release() }
    }
}
