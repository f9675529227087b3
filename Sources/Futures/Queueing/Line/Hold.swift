// Hold: what keeps a turn when its operation is over.

internal import Synchronization

/// Keeps the turn of an operation until it is let go of, also when that operation is over before.
///
/// It is let go of at the latest when nobody holds it.
final class Hold: Sendable {
    private let release: @Sendable () -> Void
    private let isReleased = Atomic<Bool>(false)

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { letGo() }

    func letGo() {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        release()
    }

    /// Two in place of this one, which keep the turn until both are let go of.
    func split() -> (Hold, Hold) {
        let isOneLetGo = Locked(false)
        let release: @Sendable () -> Void = {
            let isOther = isOneLetGo.withLock { isOneLetGo in
                defer { isOneLetGo = true }
                return isOneLetGo
            }
            if isOther { self.letGo() }
        }
        return (Hold(release), Hold(release))
    }
}

extension WaitingLine {
    /// Keeps the turn of a node that has it. To be called in its job.
    func hold(_ node: Node) -> Hold {
        state.withLock { $0.hold(node) }
        // What has the node's turn may well be kept by it.
        return Hold { [self, weak node] in proceed(state.withLock { $0.release(node, ()) }) }
    }
}

extension Station {
    /// The same as `enqueue`, but the turn lasts until the hold is let go of too.
    func enqueueHeld<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms,
        _ operation: @escaping @Sendable (Resource, Hold) throws -> Future<T>
    ) -> Future<T> {
        let node = Node(source: nil, on: scheduler, terms.traits, Closure(), origin: terms.origin) {
            [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node, terms) }
            let waits = node.takeTurn(T.self) {
                if terms.isTimed { terms.limitRunning(of: node) }
                return try operation(resource, line.hold(node))
            }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node, terms)
        return Future(node: node)
    }
}
