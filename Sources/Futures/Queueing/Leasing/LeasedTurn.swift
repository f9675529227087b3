// LeasedTurn: one turn of a queue with outer leases: from the request of the lease to its release.

/// The lease of one turn: requests it, starts the operation, extends it, and releases it behind the operation.
final class LeasedTurn: Sendable {
    private struct State {
        var lease = LeaseState()
        var name = ""
        /// The request, so that it can be cancelled.
        var request: Future<OuterLease>?
        /// The operation, until it starts.
        var node: LineNode?
        /// Of a lease that ends by time.
        var timers: (renewal: OwnedTimer, expiry: OwnedTimer)?
    }

    private let line: Line
    private let lane: Lane?
    private let leasing: LineLeasing
    private let state: Locked<State>
    /// Fails the operation, unless that has ended. It does not retain the node, which may retain what has its turn.
    private let fail: @Sendable (any Error) -> Void

    init(of node: LineNode, in line: Line, _ leasing: LineLeasing) {
        self.line = line
        self.leasing = leasing
        lane = node.lane
        state = Locked(State(node: node))
        fail = { [weak node] in node?.giveUp($0) }
    }

    /// The lease, while an operation has it.
    var lease: OuterLease? { state.withLock { $0.lease.lease } }

    /// The name of the lease, while the provider has not answered.
    var requestedName: String? { state.withLock { $0.node == nil ? nil : $0.name } }

    /// Asks the provider for the lease.
    func request() {
        onScheduler { [self] in
            let name = leasing.name(lane)
            let isOver = state.withLock { state in
                state.name = name
                return state.lease.isAbandoned
            }
            if isOver { return answer(.failure(CancellationError())) }
            let request = leasing.provider.acquire(name)
            // It would keep the turn, and this, forever.
            if Inspected(request.node).isNever { return answer(.failure(QueueError.leaseLost(name: name))) }
            let isAbandoned = state.withLock { state in
                state.request = request
                return state.lease.isAbandoned
            }
            // It answers also if it is cancelled, or cannot be because it has another listener.
            _ = Node.listener(to: request.node, [.watcher, .afterDisposal]) { [self] arrival in
                answer(arrival.child.result(as: OuterLease.self))
            }
            if isAbandoned { request.cancel() }
        }
    }

    /// Calls `body`, which is the provider's code, on the scheduler that is meant for it.
    private func onScheduler(_ body: @escaping @Sendable () -> Void) {
        _ = Future<Void>().step(on: leasing.scheduler, .values) { _ -> Next<Void> in .value(body()) }
    }

    /// The provider has answered. To be called at the end of a job.
    private func answer(_ result: Result<OuterLease, any Error>) {
        let (answer, node, request) = state.withLock { state in
            (state.lease.answer(result), state.node.take(), state.request.take())
        }
        switch answer {
        case .start(let lease):
            extend(lease, since: nil)
            ThreadState.here.serveNext(JobList(node!))
        case .fail(let error): node!.giveUpWaiting(error)
        case .release(let lease): release(lease)
        case .end: end()
        }
        // Released without the lock.
        withExtendedLifetime((node, request)) {}
    }

    /// A job that ends the turn, which no operation needs any more.
    var endJob: Job {
        ClosureJob(.following) { [self] in
            let (end, request, timers) = state.withLock { ($0.lease.endTurn(), $0.request, $0.timers) }
            timers?.renewal.stop()
            timers?.expiry.stop()
            switch end {
            case .release(let lease): release(lease)
            // If there is none yet, `request` makes none, or cancels it.
            case .withdraw: request?.cancel()
            case .nothing: break
            case .end: self.end()
            }
        }
    }

    private func release(_ lease: OuterLease) {
        onScheduler { [self] in
            let released = leasing.provider.release(lease)
            _ = Node.listener(to: released.node) { [self] arrival in
                guard let error = arrival.child.failure else { return end() }
                let failure = line.cleanupFailure
                failure.report(error, to: failure.handler(), isTold: false) { [self] in end() }
            }
        }
    }

    /// The lease is released: the next turn may start. To be called at the end of a job.
    private func end() {
        leasing.forget(lane)
        ThreadState.here.serveNext(JobList(endedJob))
    }

    /// A job that starts the next turn: this one has no lease any more.
    var endedJob: Job {
        ClosureJob(.following) { [line, lane] in
            line.proceed(line.change { $0.giveBack(lane.map(Unmanaged.passUnretained)) })
        }
    }
}

extension LeasedTurn {
    /// Starts the timers of a lease that ends by time.
    ///
    /// - Parameter start: When its duration began; nil for now.
    private func extend(_ lease: OuterLease, since start: ContinuousClock.Instant?) {
        guard let duration = lease.duration.map({ max($0, .zero) }) else { return }
        let (scheduler, now) = (leasing.scheduler, leasing.scheduler.now)
        let timers = state.withLock { state in
            let timers = state.timers ?? (OwnedTimer(), OwnedTimer())
            state.timers = timers
            return timers
        }
        let left = duration - (start.map { $0.duration(to: now) } ?? .zero)
        timers.expiry.start(after: left, on: scheduler.forLimits) { [weak self] in self?.lose() }
        // As often as the duration says, however long the answer took.
        timers.renewal.start(after: max(.zero, left - (duration - duration / 3)), on: scheduler) { [weak self] in
            self?.renew(lease)
        }
    }

    /// Asks the provider to extend the lease. Called on the scheduler that is meant for it.
    private func renew(_ lease: OuterLease) {
        guard state.withLock({ $0.lease.beginRenewal(of: lease) }) else { return }
        let start = leasing.scheduler.now
        let renewed = leasing.provider.renew(lease)
        // The turn has ended meanwhile: nothing renews the lease after its release.
        if let lease = state.withLock({ $0.lease.endRenewal() }) { release(lease) }
        _ = Node.listener(to: renewed.node) { [weak self] arrival in
            guard let self else { return }
            switch arrival.child.result(as: OuterLease.self) {
            case .success(let renewed):
                if state.withLock({ $0.lease.renew(renewed) }) { extend(renewed, since: start) }
                // Not released under the lock: the deinit of its holder is the user's.
                withExtendedLifetime(lease) {}
            case .failure(QueueError.leaseLost): lose()
            case .failure: retry(lease)
            }
        }
    }

    /// Renews the lease again, sooner than the first time.
    private func retry(_ lease: OuterLease) {
        guard let duration = lease.duration, let timers = state.withLock({ $0.timers }) else { return }
        timers.renewal.start(after: duration / 10, on: leasing.scheduler) { [weak self] in self?.renew(lease) }
    }

    private func lose() {
        let name = state.withLock { $0.lease.lose() ? $0.name : nil }
        if let name { fail(QueueError.leaseLost(name: name)) }
    }
}
