// settle: waits for all of several futures and collects their results, failures included.

extension Future {
    /// Returns a future of the results of all `futures`, in the order of the arguments. It does not fail.
    ///
    ///     a: --1
    ///     b: -^        Future.settle(a, b)  --(success(1), failure)
    ///
    /// The result of a future that is cancelled by other code is a failure with a `CancellationError`. If the returned
    /// future is cancelled, the futures are cancelled too, unless they have other listeners. If there are no futures, it
    /// has succeeded.
    @inlinable
    public static func settle<each Settled: Sendable>(
        _ futures: repeat Future<each Settled>
    ) -> Future where Value == (repeat Result<each Settled, any Error>) {
        Future(
            node: .join(nodesOf(repeat each futures), collectsErrors: true) { node, nodes in
                var index = 0
                func next<T: Sendable>(_: T.Type) -> Result<T, any Error> {
                    defer { index += 1 }
                    return nodes[index].result(as: T.self)
                }
                node.settleFromOutside((repeat next((each Settled).self)))
            })
    }

    /// Returns a future of the results of all `futures`, in their order: see the form with several arguments.
    ///
    ///     let results = Future.settle(pages)      // Future<[Result<Page, any Error>]>
    @inlinable
    public static func settle<Settled: Sendable>(
        _ futures: some Collection<Future<Settled>>
    ) -> Future where Value == [Result<Settled, any Error>] {
        Future(
            node: .join(futures.map { $0.node }, collectsErrors: true) { node, nodes in
                node.settleFromOutside(nodes.map { $0.result(as: Settled.self) })
            })
    }

    // Without this, the compiler says "failed to produce diagnostic for expression".
    /// Does not compile: write Future.settle(a, b) for futures of different types. In an array, all have one type.
    @_alwaysEmitIntoClient
    @available(
        *, unavailable,
        message: "write Future.settle(a, b) for futures of different types: in an array, all have one type"
    )
    public static func settle(_ futures: [any Sendable]) -> Future where Value == [any Sendable] { fatalError() }
}

extension Array: ContainsFuture where Element: ContainsFuture {
    var containedEnd: Future<Void>? {
        let ends = compactMap(\.containedEnd)
        return ends.isEmpty ? nil : Future.settle(ends).asVoid()
    }
}
