// Station: how an operation gets a resource when its turn has come.

/// A resource and the line before it.
@usableFromInline
final class Station<Resource: Sendable>: Sendable {
    @usableFromInline let resource: Resource
    @usableFromInline let line: WaitingLine

    init(_ resource: Resource, _ line: WaitingLine) {
        self.resource = resource
        self.line = line
    }

    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let node = Node(source: nil, on: scheduler, .queued, .following(operation)) { [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node) }
            if let inner = node.inner {
                node.finish(as: inner, T.self)
            } else if node.begin() {
                do {
                    let future = try node.closure.following(Resource.self, T.self)(resource)
                    if node.turn(to: future) { return }
                } catch {
                    node.finish(error: error)
                }
            }
            node.isOver()
        }
        line.enqueue(node)
        return Future(node: node)
    }
}

extension WaitingLine {
    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let node = Node(source: nil, on: scheduler, .queued, .beginning(operation)) { [self] node, call in
            guard call == .arrived else { return hear(call, of: node) }
            if let inner = node.inner {
                node.finish(as: inner, T.self)
            } else if node.begin() {
                do {
                    let future = try node.closure.beginning(T.self)()
                    if node.turn(to: future) { return }
                } catch {
                    node.finish(error: error)
                }
            }
            node.isOver()
        }
        enqueue(node)
        return Future(node: node)
    }
}
