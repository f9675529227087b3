// Contained futures: an operation whose value is a future keeps its turn until that future has completed, too.

// A closure that returns a future where a value is expected, as in `queue.run { load() }`, or in
// `queue.enqueue { load().map { save($0) } }`, where `flatMap` is meant, is not rejected: the overloads that rejected it
// were half of the library's methods for queues (decision 0022). So the turn lasts until the future in the value has
// completed, and an element of a traversal counts as one in progress until then.

/// A type that is a future, or that may contain one.
protocol ContainsFuture {
    /// A future that succeeds when the contained future, and the future that its value contains, have completed,
    /// whatever their results. Nil if there is no future.
    var containedEnd: Future<Void>? { get }
}

extension Future: ContainsFuture {
    var containedEnd: Future<Void>? {
        completingWithContained.step(on: .inPlace, .results) { _ in .value(()) }
    }

    /// This future; or, if its value contains a future, a future of the same result that completes when the contained
    /// future has completed, too.
    @inlinable
    var completingWithContained: Future {
        Self.mayContainFuture ? waitingForContained : self
    }

    /// Whether the value is a future, or may contain one.
    // The compiler evaluates this for most types, so that they cost nothing: a future is one reference.
    @inlinable
    static var mayContainFuture: Bool {
        MemoryLayout<Value>.size == MemoryLayout<UInt>.size && !_isPOD(Value.self) && containsFuture
    }

    @usableFromInline static var containsFuture: Bool { Value.self is any ContainsFuture.Type }

    @usableFromInline var waitingForContained: Future {
        step(on: .inPlace, .values) { result in
            guard let end = (try result.get() as? any ContainsFuture)?.containedEnd else { return .result(result) }
            return .future(end.step(on: .inPlace, .results) { _ in .result(result) })
        }
    }

    /// Calls `body` once this future has completed, and the future that its value contains; if it is cancelled, once
    /// what that cancels has been disposed. Listens to this future as a watcher, which does not prevent a cancel.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
        _ = Node.listener(to: node, .watcher) { arrival in
            let value = arrival.child.failure == nil ? arrival.child.value(as: Value.self) : nil
            let end = (value as? any ContainsFuture)?.containedEnd
            arrival.child.whenFinished {
                guard let end else { return body() }
                _ = Node.listener(to: end.node) { $0.child.whenFinished(body) }
            }
        }
    }
}

extension Optional: ContainsFuture where Wrapped: ContainsFuture {
    var containedEnd: Future<Void>? { flatMap(\.containedEnd) }
}

extension QueuedNode {
    /// Runs the job of a node that has its turn: settles with the result of the future that `begin` returns.
    @inlinable
    func takeTurn<T: Sendable>(_: T.Type, _ begin: () throws -> Future<T>) {
        if tryBegin() {
            do {
                if wait(for: try begin().completingWithContained) { return }
            } catch {
                settleInJob(error: error)
            }
        }
        endTurnAfterListeners()
    }

    /// Runs the job of a node that has its turn: settles with what `body` returns or throws. The turn ends with the job, or
    /// with the future in the value.
    @inlinable
    func takeTurn<T: Sendable>(producing body: () throws -> T) {
        if Future<T>.mayContainFuture { return takeTurn(T.self) { Future(node: .settled(.success(try body()))) } }
        if tryBegin() { settleInJob(body) }
        endTurnAfterListeners()
    }
}
