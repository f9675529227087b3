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
    /// Cancelling the future cancels the item, and releases it. Until then, or until the item has run, the future keeps
    /// it: an item that is never run has a future that stays pending, and lives as long as that. A repetition shares the
    /// item's one run.
    public var future: Future<Void> {
        let promise = Promise<Void>()
        // Held weakly, the item could be gone when Dispatch notifies, which it also does when an item is released without
        // a run: a queue keeps the block and not the item. Then nothing tells a run from a cancel or from no run at all.
        // Safe: to ask whether an item is cancelled, and to cancel it, is an atomic step of Dispatch.
        let kept = Locked<DispatchWorkItem?>(self)
        notify(queue: .forOneBlock("futures.item")) {
            let item = kept.withLock { $0.take() }
            // Released behind the completion, as that may run code of users.
            withExtendedLifetime(item) {
                _ = item?.isCancelled ?? true ? promise.fail(CancellationError()) : promise.succeed()
            }
        }
        return promise.future.onCancel(on: .immediate) { kept.withLock { $0.take() }?.cancel() }
    }
}

extension DispatchGroup {
    /// A future that completes when what is in the group now has left it; at once, if it is empty.
    ///
    /// Cancelling it stops nothing. A repetition looks at the group anew.
    public var future: Future<Void> {
        Future(on: .immediate) { completion in
            self.notify(queue: .forOneBlock("futures.group")) { completion(.success(())) }
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
