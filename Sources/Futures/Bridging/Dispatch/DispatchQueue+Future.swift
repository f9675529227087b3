// Dispatch: futures of blocks, of work items and of groups.

public import Dispatch

extension DispatchQueue {
    /// A future of what `body` returns or throws, which runs on this queue as any other block.
    ///
    /// With flags it takes the place in the queue that they say: `.barrier` in a concurrent one. A scheduler around the
    /// queue does the same without. Cancelled before it began, it never begins. A repetition is another block.
    public func asyncFuture<Value: Sendable>(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute body: @escaping @Sendable () throws -> Value
    ) -> Future<Value> {
        // The flags themselves are not `Sendable`.
        let flags = flags.rawValue
        let node = Node.operation(on: .inPlace) { node in
            let scheduler = Scheduler(queue: self)
            self.async(qos: qos, flags: DispatchWorkItemFlags(rawValue: flags)) {
                guard !node.isSettled else { return }
                scheduler.perform { _ = node.complete(Result { try body() }) }
            }
            return NilDisposer()
        }
        node.start()
        return Future(node: node)
    }
}

extension DispatchWorkItem {
    /// A future that completes when this item has run, wherever it is run; with a `CancellationError`, if it was
    /// cancelled before.
    ///
    /// Cancelling the future cancels the item. A repetition shares the item's one run.
    public var future: Future<Void> {
        let promise = Promise<Void>()
        // Safe: to ask whether an item is cancelled, and to cancel it, is an atomic step of Dispatch.
        nonisolated(unsafe) let item = self
        notify(queue: .global()) {
            if item.isCancelled { promise.fail(CancellationError()) } else { promise.succeed() }
        }
        return promise.future.onCancel(on: .immediate) { item.cancel() }
    }
}

extension DispatchGroup {
    /// A future that completes when what is in the group now has left it; at once, if it is empty.
    ///
    /// Cancelling it stops nothing. A repetition looks at the group anew.
    public var future: Future<Void> {
        Future(on: .immediate) { completion in
            self.notify(queue: .global()) { completion(.success(())) }
            return NilDisposer()
        }
    }

    /// Has `future` in the group until it completes or is cancelled.
    ///
    /// The group does not count as a listener: whoever has the future may still cancel it.
    public func add<Value>(_ future: Future<Value>) {
        enter()
        _ = Node.listener(to: future.node, .watcher) { _ in self.leave() }
    }
}
