// Operations: the roots of chains, which begin by themselves.

extension Node {
    /// Makes a root that begins with `operation`; it has not begun.
    static func operation(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Node) throws -> any Disposable
    ) -> Node {
        Node(.operation, on: scheduler) { node, _ in
            guard node.starting() else { return }
            do {
                node.started(with: try operation(node))
            } catch {
                node.complete(Result<Never, _>.failure(error))
                node.started(with: NilDisposer())
            }
        }
    }

    /// Makes a root that combines other futures: `start` listens to them at once, and what it returns leaves them.
    /// `remake` does the same with repetitions of them.
    static func combined(
        remake: @escaping @Sendable () -> Node, start: (Node) -> any Disposable
    ) -> Node {
        let node = Node(.combined(remake), on: .immediate) { _, _ in }
        node.progress = .starting
        node.started(with: start(node))
        return node
    }

    /// Makes a root that is completed from outside.
    static func pending() -> Node {
        Node(.fixed, on: .immediate) { _, _ in }
    }

    /// Makes a root that has its result.
    static func settled<T: Sendable>(_ result: Result<T, any Error>) -> Node {
        let node = pending()
        node.complete(result)
        return node
    }

    static let never = Node(.fixed, on: .immediate, .never) { _, _ in }
}
