// Sharing: what SingleFlight and Memo share.

/// The runs in progress, and the values that are kept, by their keys.
final class Sharing<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Flight = SharingState<Key, Value>.Flight

    private let state: Locked<SharingState<Key, Value>>
    private let expiry: Duration?
    private let clock: Scheduler

    init(maxCount: Int, expiresAfter expiry: Duration?, on clock: Scheduler) {
        state = Locked(SharingState(maxCount: maxCount))
        self.expiry = expiry
        self.clock = clock
    }

    deinit {
        // Memos may be each other's values, however many.
        var kept: SharingState<Key, Value>? = takeAll()
        DeferredReleases.here.release(&kept)
    }

    var count: Int { state.withLock { $0.count } }

    /// How many runs are in progress.
    var runningCount: Int { state.withLock { $0.runningCount } }

    func future(
        on scheduler: Scheduler, for key: Key, _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> Future<Value> {
        // A repetition asks afresh.
        Future<Void>().step(on: .inPlace, .values) { [self] _ in
            let now = clock.now
            // What is dropped is released outside of the lock, here and below.
            let (found, dropped) = state.withLock {
                $0.arrive(for: key, at: now, expires: end(of: now)) { flight(key, on: scheduler, operation) }
            }
            defer { release(dropped) }
            switch found {
            case .value(let value): return .value(value)
            case .flight(let flight): return .future(join(flight))
            case .new(let flight):
                let caller = join(flight)
                flight.gate.succeed()
                return .future(caller)
            }
        }
    }

    func forget(_ key: Key) {
        let dropped = state.withLock { $0.forget(key) }
        withExtendedLifetime(dropped) {}
    }

    func forgetAll() {
        withExtendedLifetime(takeAll()) {}
    }

    private func takeAll() -> SharingState<Key, Value> {
        state.withLock { state in
            defer { state.forgetAll() }
            return state
        }
    }

    /// Makes a run that begins when its gate opens. Nothing of the user's is called, so it can be made under the lock.
    private func flight(
        _ key: Key, on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> Flight {
        let gate = Promise<Void>()
        let future = gate.future.flatMap(on: scheduler, operation)
        let mark = Flight.Mark()
        // The first of its listeners: when the others hear, nobody comes by this run any more. It also keeps off a cancel
        // until all have left. Weak, as this keeps the run, which keeps its listeners.
        let listener = future.step(on: .inPlace, .results) { [weak self] result in
            self?.finish(key, mark, result)
            return .result(result)
        }
        return Flight(key: key, mark: mark, gate: gate, future: future, listener: listener)
    }

    /// A caller's own future, which leaves however it ends.
    private func join(_ flight: Flight) -> Future<Value> {
        flight.future.always(on: .inPlace) { [self] in
            if state.withLock({ $0.leave(flight) }) { flight.listener.cancel() }
        }
    }

    private func finish(_ key: Key, _ mark: Flight.Mark, _ result: Result<Value, any Error>) {
        let value = try? result.get()
        let now = clock.now
        release(state.withLock { $0.finish(key, mark, value, at: now, expires: end(of: now)) })
    }

    /// Releases keys and values, but behind the result that has dropped them.
    private func release(_ dropped: [AnyObject]) {
        guard !dropped.isEmpty else { return }
        ThreadState.here.endsJob()
        for object in dropped { DeferredReleases.here.release(object) }
    }

    /// When a value expires that comes now.
    private func end(of now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        expiry.map { now + min($0, .longest) }
    }
}
