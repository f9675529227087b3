// Sharing: what SingleFlight and FutureCache share.

/// The runs in progress, and the values that are kept, by their keys.
final class Sharing<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let name: LineName
    private let state: Locked<SharingState>
    private let expiry: Duration?
    private let clock: Scheduler

    init(maxCount: Int, expiresAfter expiry: Duration?, on clock: Scheduler, named name: LineName) {
        self.name = name
        state = Locked(SharingState(maxCount: maxCount))
        self.expiry = expiry
        // Without an expiry the time does not matter, and reading a real clock would count as an escape from virtual
        // time.
        self.clock = expiry == nil ? .unblocked : clock
    }

    deinit {
        // Caches may be each other's values, however many.
        var entries: [AnyObject]? = state.withLock { $0.forgetAll() }
        DeferredReleases.here.release(&entries)
    }

    var count: Int { state.withLock { $0.count } }

    /// How many runs are in progress.
    var runningCount: Int { state.withLock { $0.runningCount } }

    func future(
        on scheduler: Scheduler, for key: Key, _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> Future<Value> {
        let hash = key.hashValue
        // A repetition asks again.
        return Future<Void>().step(on: .inPlace, .values) { [self] _ in
            let now = clock.now
            // What is dropped is released outside of the lock, here and below.
            let (found, dropped) = state.withLock { state in
                state.arrive(
                    in: state.entry(hash) { has(key, $0) }, or: { Entry<Key, Value>(key, hash: hash) }, at: now,
                    expires: end(of: now)
                ) {
                    flight($0, on: scheduler, operation)
                }
            }
            defer { release(dropped) }
            switch found {
            case .kept(let entry):
                return .value(unsafeDowncast(entry, to: Entry<Key, Value>.self).value.unsafelyUnwrapped)
            case .flight(let flight): return .future(join(flight))
            case .new(let flight):
                if Recording.isOn, let label = name.label { flight.run.setName(label) }
                let caller = join(flight)
                flight.gate.succeed()
                return .future(caller)
            }
        }
    }

    /// The value that is kept for a key.
    func value(for key: Key) -> Value? {
        let (now, hash) = (clock.now, key.hashValue)
        let kept = state.withLock { state in state.entry(hash) { has(key, $0) }.flatMap { state.use($0, at: now) } }
        return kept.flatMap { unsafeDowncast($0, to: Entry<Key, Value>.self).value }
    }

    /// Keeps a value, instead of what there is for the key.
    func insert(_ value: Value, for key: Key) {
        let (now, hash) = (clock.now, key.hashValue)
        let new = Entry<Key, Value>(key, hash: hash, value)
        release(
            state.withLock { state in
                state.keep(new, insteadOf: state.entry(hash) { has(key, $0) }, at: now, expires: end(of: now))
            })
    }

    func forget(_ key: Key) {
        let hash = key.hashValue
        let dropped = state.withLock { state in state.entry(hash) { has(key, $0) }.map { state.forget($0) } }
        withExtendedLifetime(dropped) {}
    }

    func forgetAll() {
        let dropped = state.withLock { $0.forgetAll() }
        withExtendedLifetime(dropped) {}
    }

    /// Creates a run that starts when its gate opens. It calls no user code, so it can be created under the lock.
    private func flight(
        _ number: Flight.Number, on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> Flight {
        let gate = Promise<Void>()
        let future = gate.future.flatMap(on: scheduler, operation)
        // The first of its listeners: when the others are called, no caller can join this run any more. It also
        // prevents a cancel until all callers have left. Weak, because this object retains the run, which retains its
        // listeners.
        let listener = future.step(on: .inPlace, .results) { [weak self] result in
            self?.finish(number)
            return .result(result)
        }
        listener.node.noteObserved()
        return Flight(number, gate: gate, run: future.node, listener: listener.node)
    }

    /// A caller's own future, which leaves however it ends.
    private func join(_ flight: Flight) -> Future<Value> {
        Future(node: flight.run).always(on: .inPlace) { [self] in
            let (isLast, dropped) = state.withLock { $0.leave(flight) }
            if isLast { flight.listener.cancel() }
            withExtendedLifetime(dropped) {}
        }
    }

    private func finish(_ number: Flight.Number) {
        let now = clock.now
        release(state.withLock { $0.finish(number, at: now, expires: end(of: now)) })
    }

    /// Releases keys and values after the result that has dropped them: their `deinit` may block.
    private func release(_ dropped: [AnyObject]) {
        guard !dropped.isEmpty else { return }
        ThreadState.here.endsJob()
        for object in dropped { DeferredReleases.here.release(object) }
    }

    /// When a value expires that comes now.
    private func end(of now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        expiry.map { now + min($0, .longest) }
    }

    /// Whether an entry is this key's.
    // Not a function that returns a closure: that would be one more allocation, unless the optimizer inlines it.
    private func has(_ key: Key, _ entry: SharedEntry) -> Bool {
        unsafeDowncast(entry, to: Entry<Key, Value>.self).key == key
    }
}

/// What there is for a key.
private final class Entry<Key: Hashable & Sendable, Value: Sendable>: SharedEntry, @unchecked Sendable {
    let key: Key
    /// Not written again once it is kept, so it may be read without the lock then.
    @exclusivity(unchecked) private(set) var value: Value?

    init(_ key: Key, hash: Int, _ value: Value? = nil) {
        self.key = key
        self.value = value
        super.init(hash: hash)
    }

    override func keepValue(of run: Node) -> Bool {
        guard case .success(let value)? = Future<Value>(node: run).result else { return false }
        self.value = value
        return true
    }
}
