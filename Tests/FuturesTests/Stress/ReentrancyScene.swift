// ReentrancyScene: futures in every relation to the one whose listeners are being called, and actions on them.

import Futures
import Testing

extension ReentrancyTests {
    /// The futures of one re-entrancy test.
    // Safe to share: these tests use one thread at a time.
    final class Scene: @unchecked Sendable {
        /// The action in the place that is tested; it is called once.
        var act: () -> Void = {}
        private(set) var actionCount = 0
        private(set) var callsOfEach: [Int] = []
        private(set) var callsOfSteady = 0
        /// Captured by every closure, to detect leaks.
        private(set) var probe: Token? = Token(0)

        private var promise: Promise<Token>? = Promise()
        private var other: Promise<Token>? = Promise()
        private var served: Future<Token>?
        private var child: Future<Token>?
        private var bag: DisposeBag? = DisposeBag()
        private let queue = FutureQueue()

        /// Calls `act` in `place`, with listeners before and after it.
        func run(_ place: Place) {
            let source = promise!.future
            observe(source)
            served = source
            switch place {
            case .listener:
                child = source.onResult(on: .immediate) { _ in self.actOnce() }
            case .cancelHandler:
                child = source.onCancel(on: .immediate) { self.actOnce() }
            case .alwaysHandler:
                child = source.always(on: .immediate) { self.actOnce() }
            case .transform:
                child = source.mapResult(on: .immediate) { result in
                    self.actOnce()
                    return try result.get()
                }
            case .returningTransform:
                child = source.flatMapResult(on: .immediate) { _ in
                    self.actOnce()
                    return self.other?.future ?? Future(Token(7))
                }
            case .operation:
                child = source.flatMapResult(on: .immediate) { _ in
                    Future(on: .immediate) { completion in
                        self.actOnce()
                        completion(.success(Token(5)))
                        return NilDisposer()
                    }
                }
            case .dispose:
                child = source.flatMapResult(on: .immediate) { _ in
                    Future(on: .immediate) { completion in
                        completion(.success(Token(5)))
                        return Disposer { self.actOnce() }
                    }
                }
            case .deinitOfValue:
                child = source.map(on: .immediate) { _ in Token(1) }
            case .deinitOfError:
                child = source.recover(on: .immediate) { _ in Token(1) }
            case .deinitOfCapture:
                let token = Token(2) { self.actOnce() }
                child = source.map(on: .immediate) { value in withExtendedLifetime(token) { value } }
            case .queue:
                child = queue.on(.immediate).enqueue { source }
                queue.on(.immediate).enqueue {
                    self.actOnce()
                    return Future(Token(1))
                }
            case .bag:
                bag! += { self.actOnce() }
                child = source.onResult(on: .immediate) { _ in self.bag?.dispose() }
            case .predicate:
                child = source.onErrorRepeat(on: .immediate, maxRepetitions: 1) { _ in
                    self.actOnce()
                    return true
                }
            case .disposer:
                let disposer = Disposer { self.actOnce() }
                child = source.onResult(on: .immediate) { _ in disposer.dispose() }
            }
            observe(source)
            source.onResult(on: .immediate) { _ in self.callsOfSteady += 1 }
            finish(place)
        }

        /// Completes the source so that `place` is reached.
        private func finish(_ place: Place) {
            let promise = promise!
            switch place {
            case .cancelHandler:
                promise.fail(CancellationError())
            case .predicate:
                promise.fail(Failure())
            case .deinitOfValue:
                promise.succeed(Token(2) { self.actOnce() })
                release()
            case .deinitOfError:
                promise.fail(Failure(token: Token(2) { self.actOnce() }))
                release()
            case .deinitOfCapture:
                promise.succeed(Token(3))
                release()
            default:
                promise.succeed(Token(1))
            }
        }

        /// Releases the served futures, and with them what they retain.
        private func release() {
            // Taken out first, because deinits access these properties.
            let old = (promise.take(), served.take(), child.take())
            withExtendedLifetime(old) {}
        }

        private func observe(_ future: Future<Token>) {
            let index = callsOfEach.count
            callsOfEach.append(0)
            let probe = probe
            future.onResult(on: .immediate) { _ in
                withExtendedLifetime(probe) { self.callsOfEach[index] += 1 }
            }
        }

        private func actOnce() {
            guard actionCount == 0 else { return }
            actionCount += 1
            act()
        }

        func perform(_ action: Action) {
            switch action {
            case .complete:
                promise?.succeed(Token(3))
                other?.succeed(Token(4))
            case .abandon:
                _ = promise.take()
                _ = other.take()
            case .cancelSource: served?.cancel()
            case .cancelSelf: child?.cancel()
            case .cancelOther:
                let last = other?.future.map(on: .immediate) { $0 }.always(on: .immediate) {}
                last?.cancel()
            case .attach: if let served { observe(served) }
            case .attachMany:
                for _ in 0..<100 { for future in [served, child] { if let future { observe(future) } } }
            case .dispose:
                if let child { bag? += child }
                bag?.dispose()
            case .forget:
                release()
                _ = other.take()
            case .repeated:
                let repeated = (child ?? Future(Token(1))).onErrorRepeat(on: .immediate, maxRepetitions: 1) { _ in true
                }
                observe(repeated)
            case .link:
                if let child {
                    let middle = Future().flatMap(on: .immediate) { child }
                    observe(Future().flatMap(on: .immediate) { middle })
                }
            case .enqueue:
                observe(queue.on(.immediate).enqueue { Future(Token(1)) })
            case .waitForCompleted:
                _ = try? served?.wait(timeout: .milliseconds(1))
            }
        }

        func forget() {
            release()
            let old = (other.take(), bag.take(), probe.take())
            withExtendedLifetime(old) {}
            act = {}
        }
    }

    struct Failure: Error {
        var token: Token?
    }
}
