// WaitingLine: the line of a FutureQueue.

/// The line of a queue with priorities.
// Not the generic class itself: clients call this without an unspecialised function in between.
@usableFromInline
final class WaitingLine: Line {
    let state: Locked<LineState<Priorities>>
    let rate: Rate?
    let timer: OwnedTimer?

    init(_ limits: LineLimits) {
        rate = limits.rate
        timer = limits.rate.map { _ in OwnedTimer() }
        state = Locked(LineState(Priorities(), limits))
    }

    deinit { releaseErrors() }

    func identity(_ tag: Void) -> ObjectIdentifier { ObjectIdentifier(self) }

    @usableFromInline
    func enqueue(_ node: Node) {
        node.queue = identity(())
        enter(node, ())
    }

    func abort(with error: any Error, closing: Bool, onlyWaiting: Bool = false) {
        abort({ _ in [()] }, with: error, closing: closing, onlyWaiting: onlyWaiting)
    }

    func disown() { disown { _ in [()] } }

    func cleanupCheck(_ origin: FutureError.Origin) -> @Sendable (Node) throws -> Void {
        { [self] in try checkCleanup($0, (), origin) }
    }

    /// What a node's operation is called for, beside its turn.
    @usableFromInline
    func hear(_ call: Call, of node: Node) {
        switch call {
        case .over: leave(node, ())
        case .enqueued: enqueue(node)
        case .heard: detectDeadlock(before: node, ())
        case .suspected: detectDeadlock(of: node, ())
        case .unending: answerUnending()
        case .arrived, .cancelled: return
        }
    }

    /// The node has begun to wait for the future that its operation has returned.
    @usableFromInline
    func hasJoined(_ node: Node) { detectDeadlock(of: node, ()) }
}

// The same with time limits.
extension WaitingLine {
    @usableFromInline
    func enqueue(_ node: Node, _ terms: Terms) {
        enqueue(node)
        terms.limitWaiting(of: node)
    }

    @usableFromInline
    func hear(_ call: Call, of node: Node, _ terms: Terms) {
        switch call {
        case .enqueued: enqueue(node, terms)
        // Its timer will end it.
        case .unending where terms.maxRunning != nil: return
        default: hear(call, of: node)
        }
    }
}
