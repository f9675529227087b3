// Carried futures: an operation whose value is a future is over when that has completed too.

// The compiler rejects closures that return a future where a value is meant, but not one that comes as the value of a
// future: `queue.enqueue { load().map { save($0) } }`, where `flatMap` is meant. Rejecting that, too, makes chains of
// `map` take too long to type-check. So the turn lasts until the future in the value is over.

/// What is a future, or may be one.
@usableFromInline
protocol CarriesFuture {
    /// A future that succeeds when that has completed, and what its value carries; nil if there is none.
    var carriedEnd: Future<Void>? { get }
}

extension Future: CarriesFuture {
    @usableFromInline var carriedEnd: Future<Void>? {
        completingWithCarried.step(on: .inPlace, .results) { _ in .value(()) }
    }

    /// This future; or if its value carries a future, one of the same result that completes when that has, too.
    @inlinable
    var completingWithCarried: Future {
        // The compiler knows this of most types, which cost nothing: a future is one reference.
        guard MemoryLayout<Value>.size == MemoryLayout<UInt>.size, !_isPOD(Value.self) else { return self }
        return Value.self is any CarriesFuture.Type ? waitingForCarried : self
    }

    // By steps only, not by a combination: at that the search for a deadlock would end.
    @usableFromInline var waitingForCarried: Future {
        step(on: .inPlace, .values) { result in
            guard let end = (try result.get() as? any CarriesFuture)?.carriedEnd else { return .result(result) }
            return .future(end.step(on: .inPlace, .results) { _ in .result(result) })
        }
    }

    /// Calls `body` once this future has completed, and the one that its value carries, whoever else listens to it.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
        _ = Node.listener(to: node, .watcher) { arrival in
            let value = arrival.child.failure == nil ? arrival.child.value(as: Value.self) : nil
            guard let end = (value as? any CarriesFuture)?.carriedEnd else { return body() }
            _ = Node.listener(to: end.node) { _ in body() }
        }
    }
}

extension Optional: CarriesFuture where Wrapped: CarriesFuture {
    @usableFromInline var carriedEnd: Future<Void>? { flatMap(\.carriedEnd) }
}
