// Permit: what a semaphore or a lock hands out.

internal import Synchronization

/// What a semaphore or a lock hands out, to be released once.
///
/// It is released at the latest when nobody holds it any more. The future that handed it out holds it too, and so does
/// what was made of that and cancelled before it had it: hold the permit, not those.
public final class Permit: Disposable {
    private let line: Line
    private let isReleased = Atomic<Bool>(false)

    fileprivate init(_ line: Line) {
        self.line = line
    }

    deinit { release() }

    /// Lets the next one have its turn; every call after the first does nothing.
    public func release() {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        line.giveBack()
    }

    /// The same as ``release()``.
    public func dispose() { release() }
}

extension Line {
    /// A future of a permit, which has the turn from then on.
    func permit(_ options: QueueOptions) -> Future<Permit> {
        let node = LineNode(in: self, nil, on: .inPlace, options) { [self] node, _ in
            let node = node.lineNode
            // Cancelled before, the node gives back the turn itself; from here on, the permit does.
            guard node.begin() else { return node.isOver() }
            state.withLock { $0.detach(node) }
            node.finish(Permit(self))
        }
        node.enqueue()
        return Future(node: node)
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
