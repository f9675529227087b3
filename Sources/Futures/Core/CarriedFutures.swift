// Carried futures: an operation whose value is a future, or has some in it, is over when those have completed too.

// The compiler rejects closures that return a future where a value is meant, but not one that comes as the value of a future:
// `queue.enqueue { load().map { save($0) } }`, where `flatMap` is meant. Rejecting that, too, makes chains of `map` take too
// long to type-check. So the turn lasts until the future in the value is over.

/// What is a future, or has some in it.
@usableFromInline
protocol CarriesFutures {
    /// Futures that succeed when those are over, and what their values carry.
    var carriedEnds: [Future<Void>] { get }
}

extension Future: CarriesFutures {
    @usableFromInline var carriedEnds: [Future<Void>] {
        [completingWithCarried.step(on: .inPlace, .results) { _ in .value(()) }]
    }

    /// This future; or if its value carries futures, one of the same result that completes when those have, too.
    @inlinable
    var completingWithCarried: Future {
        // The compiler knows this of most types, which cost nothing: what carries futures is one reference.
        guard MemoryLayout<Value>.size == MemoryLayout<UInt>.size, !_isPOD(Value.self) else { return self }
        return Value.self is any CarriesFutures.Type ? waitingForCarried : self
    }

    @usableFromInline var waitingForCarried: Future {
        step(on: .inPlace, .values) { result in
            guard let value = try result.get() as? any CarriesFutures else { return .result(result) }
            let ends = value.carriedEnds
            guard !ends.isEmpty else { return .result(result) }
            let end = Future<Void>(node: .all(ends.map(\.node)))
            return .future(end.step(on: .inPlace, .results) { _ in .result(result) })
        }
    }
}

extension Optional: CarriesFutures where Wrapped: CarriesFutures {
    @usableFromInline var carriedEnds: [Future<Void>] { map(\.carriedEnds) ?? [] }
}

extension Array: CarriesFutures where Element: CarriesFutures {
    @usableFromInline var carriedEnds: [Future<Void>] { flatMap(\.carriedEnds) }
}

extension Node {
    /// Returns a node that succeeds when all of `nodes` have settled.
    fileprivate static func all(_ nodes: [Node]) -> Node {
        combined(nodes, needing: .allOfThem) { node, nodes in
            let missing = Countdown(nodes.count)
            let handler: @Sendable (Arrival) -> Void = { arrival in
                if missing.isLast() { arrival.parent?.complete(()) }
            }
            return Leaving(nodes.map { listener(to: $0, for: node, handler: handler) })
        }
    }
}
