// FutureOperation: an operation that has finished when its future has completed.

import Foundation
import Futures

/// An operation that starts a future, and has finished when that has completed.
// Safe to share: its state is locked.
final class FutureOperation<Value: Sendable>: Operation, @unchecked Sendable {
    private enum State {
        /// Next is running or finished.
        case waiting
        /// Next is finished.
        case running
        case finished
    }

    private struct Content {
        var state = State.waiting
        var body: (@Sendable () throws -> Future<Value>)?
        var future: Future<Value>?
    }

    private let content: Locked<Content>
    private let completion: Future<Value>.Completion

    init(_ body: @escaping @Sendable () throws -> Future<Value>, _ completion: @escaping Future<Value>.Completion) {
        content = Locked(Content(body: body))
        self.completion = completion
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { content.withLock { $0.state == .running } }
    override var isFinished: Bool { content.withLock { $0.state == .finished } }

    override func start() {
        let body = content.withLock { $0.body.take() }
        guard !isCancelled, let body else { return finish(.failure(CancellationError())) }
        change(to: .running, \.isExecuting)
        do {
            // Its end is cancelled, because a future with listeners cannot be.
            let future = try body()
                .onResult(on: .immediate) { [self] in finish($0) }
                .onCancel(on: .immediate) { [self] in finish(.failure(CancellationError())) }
            content.withLock { if $0.state == .running { $0.future = future } }
            // It was cancelled while `body` ran.
            if isCancelled { cancelFuture() }
        } catch {
            finish(.failure(error))
        }
    }

    override func cancel() {
        super.cancel()
        cancelFuture()
    }

    private func cancelFuture() {
        content.withLock { $0.future.take() }?.cancel()
    }

    private func finish(_ result: Result<Value, any Error>) {
        completion(result)
        guard !isFinished else { return }
        if isExecuting {
            change(to: .finished, \.isExecuting, \.isFinished)
        } else {
            change(to: .finished, \.isFinished)
        }
        _ = content.withLock { $0.future.take() }
    }

    /// Changes the state, and tells the queue which properties change by it.
    private func change(to state: State, _ paths: KeyPath<Operation, Bool>...) {
        #if canImport(Darwin)
            let keys = paths.map { $0 == \Operation.isExecuting ? "isExecuting" : "isFinished" }
            for key in keys { willChangeValue(forKey: key) }
            content.withLock { $0.state = state }
            for key in keys { didChangeValue(forKey: key) }
        #else
            for path in paths { willChangeValue(for: path) }
            content.withLock { $0.state = state }
            for path in paths { didChangeValue(for: path) }
        #endif
    }
}
