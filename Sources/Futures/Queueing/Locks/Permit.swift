// Permit: the right that a semaphore or a lock grants.

internal import Synchronization

/// The right that a semaphore or a lock grants, to be released once.
///
/// It is also released when the last reference to it is. The future that granted it keeps a reference for as long as
/// that future is kept: store the permit instead.
public final class Permit: Disposable, AwaitedByOthers {
    private let line: Line
    private let isReleased = Atomic<Bool>(false)
    private let record: PermitRecord?

    fileprivate init(_ line: Line, _ origin: FutureError.SourceLocation) {
        self.line = line
        record = PermitRecord.start(of: line, at: origin)
    }

    deinit { release() }

    /// Gives the permit back, so that the next operation or caller in the line has its turn. Later calls do nothing.
    public func release() {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        record?.released()
        line.giveBack()
    }

    /// Releases the permit, as ``release()`` does.
    public func dispose() { release() }
}

extension Line {
    /// Returns a future of a permit, which has the turn from then on.
    func permit(_ options: QueueOptions) -> Future<Permit> {
        let node = LineNode(in: self, nil, on: .inPlace, options) { [self] node, _ in
            let node = node.lineNode
            // Cancelled before, the node gives back the turn itself; from here on, the permit does.
            guard node.tryBegin() else { return node.endTurnAfterListeners() }
            state.withLock { $0.detach(node) }
            node.settleInJob(Permit(self, node.origin))
            node.releaseHeldTurns()
        }
        node.enqueue()
        return Future(node: node)
    }

    /// Returns a permit if there is one now. What asks for it leaves the line immediately if it would have to wait.
    func permitIfAvailable(_ options: QueueOptions) -> Permit? {
        let future = permit(options)
        if future.result == nil { future.cancel() }
        return try? future.result?.get()
    }
}

extension Permit: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("Permit", ["isReleased": isReleased.load(ordering: .relaxed)])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// Whether the permit was released.
    public var customMirror: Mirror { summary.mirror(of: self) }
}
