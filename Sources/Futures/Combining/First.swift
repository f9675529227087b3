// first, firstSuccess: wait for as many values as are needed, and ignore failures until then.

extension Future {
    /// Returns a future of the first value of any of `futures`. Failures are ignored while success is still possible.
    ///
    ///     a: -^
    ///     b: ---2      Future.firstSuccess(of: [a, b, c])  ---2
    ///     c: ----3
    ///
    /// It is like ``first(_:of:file:line:)`` with one value.
    @inlinable
    public static func firstSuccess(of futures: some Collection<Future>) -> Future {
        Future(
            node: .first(1, of: futures.map { $0.node }) { node, winners in
                node.settleFromOutside(winners[0].value(as: Value.self))
            })
    }

    /// Returns a future of the first `count` values of `futures`, in the order in which the futures succeed.
    ///
    ///     let quorum = Future.first(2, of: pages)      // Future<[Page]>
    ///
    /// The other futures are then cancelled, unless they have other listeners. Cancelling the returned future cancels
    /// all of them in the same way. Failures are ignored while success is still possible: as soon as fewer than `count`
    /// futures can succeed, the returned future fails with ``TooFewSuccessesError``, which contains their errors. If
    /// `futures` is empty, it fails with ``FutureError/noFutures``, or succeeds with an empty array if `count` is zero.
    ///
    /// - Precondition: `count` is not negative.
    @inlinable
    public static func first<Element: Sendable>(
        _ count: Int, of futures: some Collection<Future<Element>>, file: StaticString = #fileID, line: UInt = #line
    ) -> Future where Value == [Element] {
        Future(
            node: .first(count, of: futures.map { $0.node }, file: file, line: line) { node, winners in
                node.settleFromOutside(winners.map { $0.value(as: Element.self) })
            })
    }
}

/// The error of `firstSuccess(of:)` and `first(_:of:)`: too many futures have failed.
public struct TooFewSuccessesError: Error {
    /// The number of futures that had to succeed.
    package let wanted: Int
    /// The number of futures.
    package let count: Int
    /// The errors of the futures that have failed, in the order of the futures. An error of this type among them has no
    /// errors any more.
    public private(set) var errors: [any Error]
    /// The number of those that have failed.
    package let failureCount: Int

    /// Creates an error, for instance for a test of code that handles it.
    package init(wanted: Int, count: Int, errors: [any Error]) {
        (self.wanted, self.count, failureCount) = (wanted, count, errors.count)
        // Errors that held one another would take stack when they are released.
        self.errors = errors.map { error in
            guard var inner = error as? Self else { return error }
            inner.errors = []
            return inner
        }
    }
}

extension TooFewSuccessesError: CustomStringConvertible {
    /// The number of futures that had to succeed, the number that failed, and up to three of their errors.
    public var description: String {
        guard wanted <= count else { return "\(wanted) futures had to succeed, but there were \(count)." }
        let shown = errors.prefix(3).map { "\($0)" } + (errors.count > 3 ? ["and so on"] : [])
        return "\(wanted) of \(count) futures had to succeed, but \(failureCount) failed"
            + (shown.isEmpty ? "" : ": \(shown.joined(separator: "; "))")
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
        // So many failures leave enough nodes.
        let spare = nodes.count - count
        return combined(nodes) { node, nodes in
            // Nil means that too many have failed.
            let settle: @Sendable (Node, [Int]?) -> Void = { node, winners in
                node.readChildren {
                    if let winners { return take(node, winners.map { nodes[$0] }) }
                    let errors = nodes.compactMap { $0.failure }
                    node.settleFromOutside(
                        error: TooFewSuccessesError(wanted: count, count: nodes.count, errors: errors))
                }
            }
            if spare < 0 { settle(node, nil) } else if count == 0 { settle(node, []) }
            let arrived = Locked((winners: [Int](), failures: 0))
            return nodes.enumerated().map { index, child in
                Node.listener(to: child, for: node, .ofChild) { arrival in
                    guard let node = arrival.parent else { return }
                    let (isDecided, winners) = arrived.withLock { arrived -> (Bool, [Int]?) in
                        guard arrival.child.isSuccess else {
                            arrived.failures += 1
                            return (arrived.failures == spare + 1, nil)
                        }
                        arrived.winners.append(index)
                        return arrived.winners.count == count ? (true, arrived.winners) : (false, nil)
                    }
                    if isDecided { settle(node, winners) }
                }
            }
        }
    }
}
