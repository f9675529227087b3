// LaneLine: the line of all keys' lines.

/// The line of all keys' lines. The closures that say which one is meant are called under its lock.
@usableFromInline
final class LaneLine: Line {
    let state: Locked<LineState<LaneOrder>>
    let rate: Rate?
    let timer: OwnedTimer?

    init(_ limits: LineLimits, _ order: LaneOrder) {
        rate = limits.rate
        timer = limits.rate.map { _ in OwnedTimer() }
        state = Locked(LineState(order, limits))
    }

    deinit { releaseErrors() }

    func identity(_ lane: Lane) -> ObjectIdentifier { ObjectIdentifier(lane) }

    @usableFromInline
    func enter(_ node: Node, in lane: () -> Lane, whenIdle: () -> Void) {
        let arrival = state.withLock { state in
            let lane = lane()
            defer { if lane.isIdle { whenIdle() } }
            return state.arrive(node, lane)
        }
        begin(node, arrival)
    }

    @usableFromInline
    func leave(_ node: Node, from lane: () -> Lane?, whenIdle: () -> Void) {
        let (action, released) = state.withLock { state -> (LineState<LaneOrder>.Action, Lane?) in
            // None is there if the node has left already, and nobody else was in its line.
            guard let lane = lane() else { return (.init(), nil) }
            defer { if lane.isIdle { whenIdle() } }
            return (state.leave(node, lane), lane)
        }
        proceed(action)
        withExtendedLifetime(released) {}
    }

    func checkCleanup(_ node: Node, _ origin: FutureError.Origin, in lane: () -> Lane?) throws {
        if let lane = state.withLock({ _ in lane() }) { try checkCleanup(node, lane, origin) }
    }

    func hold(_ node: Node) { state.withLock { $0.hold(node) } }

    /// Nobody else needs the turn of a node any more, which may be over.
    func release(_ node: Node?, from lane: () -> Lane?, whenIdle: () -> Void) {
        let (action, released) = state.withLock { state -> (LineState<LaneOrder>.Action, Lane?) in
            // It is there as long as somebody has a turn.
            let lane = lane()!
            defer { if lane.isIdle { whenIdle() } }
            return (state.release(node, lane), lane)
        }
        perform(action)
        withExtendedLifetime(released) {}
    }

    @usableFromInline
    func hear(_ call: Call, of node: Node, _ terms: Terms, in lane: () -> Lane?) {
        switch call {
        case .heard: if let lane = state.withLock({ _ in lane() }) { detectDeadlock(before: node, lane) }
        case .aborted: node.giveUp(CancellationError())
        // A timer will end one whose time is limited.
        case .unending: if terms.maxRunning == nil { sleep(node) }
        case .arrived, .enqueued, .over, .cancelled: return
        }
    }

    /// The node has begun to wait for the future that its operation has returned.
    @usableFromInline
    func hasJoined(_ node: Node, in lane: () -> Lane?) {
        if let lane = state.withLock({ _ in lane() }) { detectDeadlock(of: node, lane) }
    }
}
