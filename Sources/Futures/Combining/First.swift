// first, firstSuccess: wait for as many values as are needed, and bear with failures meanwhile.

/// A future of the first value of any of `futures`.
///
///     a: -^
///     b: ---2      firstSuccess(of: [a, b, c])  ---2
///     c: ----3
///
/// The others are then cancelled, as far as nobody else listens to them. It fails once all have failed, with all their
/// errors: see ``TooFewSucceeded``. If there are none it fails with ``FutureError/noFutures``.
@inlinable
public func firstSuccess<Value: Sendable>(of futures: some Collection<Future<Value>>) -> Future<Value> {
    Future(
        node: .first(1, of: futures.map { $0.node }) { node, winners in
            node.complete(winners[0].payload.value(as: Value.self))
        })
}

/// A future of the first `count` values of `futures`, in the order in which they came.
///
/// The others are then cancelled, as far as nobody else listens to them; of none wanted, that is at once. It fails
/// with ``TooFewSucceeded`` as soon as too many have failed, or if there are too few; with ``FutureError/noFutures`` if
/// there are none.
///
/// - Precondition: `count` is not negative.
@inlinable
public func first<Value: Sendable>(
    _ count: Int, of futures: some Collection<Future<Value>>, file: StaticString = #fileID,
    line: UInt = #line
) -> Future<[Value]> {
    Future(
        node: .first(count, of: futures.map { $0.node }, file: file, line: line) { node, winners in
            node.complete(winners.map { $0.payload.value(as: Value.self) })
        })
}

/// Too many futures have failed for as many to succeed as were wanted.
public struct TooFewSucceeded: Error {
    /// How many had to succeed.
    public let wanted: Int
    /// How many there were.
    public let count: Int
    /// What those have failed with that have failed, in the order of the futures.
    public var errors: [any Error] { failures.errors ?? [] }

    private let failures: Failures

    init(wanted: Int, count: Int, errors: [any Error]) {
        self.wanted = wanted
        self.count = count
        failures = Failures(errors)
    }

    /// An object, as such errors may hold one another, however many.
    // Safe to share: `errors` changes in the deinit only.
    private final class Failures: @unchecked Sendable {
        @exclusivity(unchecked) private(set) var errors: [any Error]?

        init(_ errors: [any Error]) { self.errors = errors }

        deinit { DeferredReleases.here.release(&errors) }
    }
}

extension TooFewSucceeded: CustomStringConvertible, CustomReflectable {
    /// How many had to succeed, how many failed, and the first errors; of errors one inside of the other, the outer ones.
    public var description: String { description(depth: 3) }

    // Not the errors themselves: a dump goes through whatever it is shown, by recursion.
    /// How many had to succeed, how many there were, and descriptions of the first errors.
    public var customMirror: Mirror {
        Mirror(self, children: ["wanted": wanted, "count": count, "errors": shown(depth: 3)], displayStyle: .struct)
    }

    private func description(depth: Int) -> String {
        guard wanted <= count else { return "\(wanted) futures had to succeed, but there were \(count)." }
        return "\(wanted) of \(count) futures had to succeed, but \(errors.count) failed: "
            + shown(depth: depth).joined(separator: "; ")
    }

    private func shown(depth: Int) -> [String] {
        let errors = errors
        let first = errors.prefix(3).map { error in
            guard let inner = error as? TooFewSucceeded else { return "\(error)" }
            return depth > 1 ? inner.description(depth: depth - 1) : "and so on"
        }
        return first + (errors.count > 3 ? ["and so on"] : [])
    }
}

extension Node {
    /// A node that `take` completes with the first nodes that succeed, as soon as there are `count`.
    @usableFromInline
    static func first(
        _ count: Int, of nodes: [Node], file: StaticString = #fileID, line: UInt = #line,
        take: @escaping @Sendable (Node, [Node]) -> Void
    ) -> Node {
        guard count >= 0 else {
            fatalError("The number of values to wait for must not be negative.", file: file, line: line)
        }
        guard count == 0 || !nodes.isEmpty else {
            return .settled(Result<Never, any Error>.failure(FutureError.noFutures))
        }
        return combined(nodes) { node, nodes in
            let race = Locked(Race(wanted: count, count: nodes.count))
            let act: @Sendable (Node, Race.Action) -> Void = { node, action in
                switch action {
                case .wait: break
                case .succeed(let winners): node.readChildren { take(node, winners.map { nodes[$0].resolved }) }
                case .fail:
                    node.readChildren {
                        let errors = nodes.compactMap { $0.resolved.failure }
                        node.complete(error: TooFewSucceeded(wanted: count, count: nodes.count, errors: errors))
                    }
                }
            }
            act(node, race.withLock { $0.begin() })
            let listeners = nodes.enumerated().map { index, child in
                Node.listener(to: child, for: node) { arrival in
                    guard let node = arrival.parent else { return }
                    let isSuccess = arrival.child.isSuccess
                    act(node, race.withLock { $0.arrive(index, isSuccess: isSuccess) })
                }
            }
            return Leaving(listeners)
        }
    }

    private var failure: (any Error)? { isSettled && !isSuccess ? payload.error : nil }
}

/// A pure state machine: who has succeeded, and whether enough can.
struct Race {
    enum Action {
        case wait
        case succeed([Int])
        case fail
    }

    let wanted: Int
    /// How many may fail yet.
    private var spare: Int
    /// Nil once they were handed over: a success that comes while they are read is not added to the same array.
    private(set) var winners: [Int]? = []

    init(wanted: Int, count: Int) {
        self.wanted = wanted
        spare = count - wanted
    }

    func begin() -> Action {
        if wanted == 0 { return .succeed([]) }
        return spare < 0 ? .fail : .wait
    }

    mutating func arrive(_ index: Int, isSuccess: Bool) -> Action {
        if isSuccess {
            winners?.append(index)
            return winners?.count == wanted ? .succeed(winners.take()!) : .wait
        }
        spare -= 1
        return spare == -1 ? .fail : .wait
    }
}
