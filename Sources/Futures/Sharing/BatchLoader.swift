// BatchLoader: one request for the keys of many callers.

/// Loads the values of many callers by one request for a list of keys (DataLoader), instead of one request for each key
/// (the N+1 problem).
///
///     let loader = BatchLoader<Int, User>(delay: .milliseconds(2), maxCount: 100) { ids in
///         try await users(ids)        // [Int: User]
///     }
///     loader.load(7)                  // Future<User>
///
/// The first key starts a batch, which collects keys until `delay` has passed or there are `maxCount` of them. A key that
/// several callers of a batch ask for is loaded once. An error of the request fails all callers. A key for which the
/// request has no value fails with ``MissingValueError``. (For errors of single keys, let `Value` be a `Result`.)
///
/// A caller can cancel its future without affecting the others: if the batch has not started, the key leaves it, unless
/// others have asked for it. When all callers of a batch have cancelled, its request is cancelled.
///
/// Nothing is cached, and a key that is asked for while its request runs is loaded again: in front of a loader, a
/// ``FutureCache`` or a ``SingleFlight`` shares its results, as in `cache.future(for: id) { loader.load(id) }`.
///
/// `==` and `hash` of a key are called by any thread, sometimes under a lock: they must not use the loader.
public final class BatchLoader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let state = Locked(BatchState<Key, Value>())
    private let delay: Duration
    private let maxCount: Int
    private let scheduler: Scheduler
    private let request: @Sendable ([Key]) throws -> Future<[Key: Value]>

    /// Creates a loader without batches.
    ///
    /// - Parameters:
    ///   - delay: How long a batch collects keys.
    ///   - maxCount: The number of keys with which a batch starts at once.
    ///   - scheduler: The scheduler that calls `request`, and whose clock measures `delay`.
    ///   - request: Returns a future of the values of one or more different keys, in the order of the calls.
    public init(
        delay: Duration, maxCount: Int = .max, on scheduler: Scheduler = .background,
        request: @escaping @Sendable ([Key]) throws -> Future<[Key: Value]>
    ) {
        (self.delay, self.maxCount, self.scheduler, self.request) = (delay, maxCount, scheduler, request)
    }

    /// Creates a loader with an asynchronous `request`, which runs in a task.
    public convenience init(
        delay: Duration, maxCount: Int = .max, on scheduler: Scheduler = .background,
        request: @escaping @Sendable ([Key]) async throws -> [Key: Value]
    ) {
        self.init(delay: delay, maxCount: maxCount, on: scheduler) { keys in Future { try await request(keys) } }
    }

    /// Returns a future of the value for `key`, which is loaded with other keys. A repetition asks again.
    public func load(_ key: Key) -> Future<Value> {
        Future<Void>().step(on: .inPlace, .values) { [self] _ in .future(join(key)) }
    }

    private func join(_ key: Key) -> Future<Value> {
        let (number, batch, isFull) = state.withLock { $0.join(key, maxCount: maxCount, makeBatch: makeBatch) }
        let value = batch.values
            .map(on: .inPlace) { values in
                guard let value = values[key] else { throw MissingValueError(key: key) }
                return value
            }
            // A caller's own future, which leaves however it ends.
            .always(on: .inPlace) { [self] in state.withLock { $0.leave(number, key) }?.batch.listener.cancel() }
        // Without the lock, as timers of users' queues are started there. The first call counts.
        batch.gate.succeed()
        if isFull { batch.full.succeed() }
        return value
    }

    /// Creates a batch. It calls no user code, so it can be created under the lock.
    private func makeBatch(_ number: Int) -> BatchState<Key, Value>.Batch {
        let (gate, full) = (Promise<Void>(), Promise<Void>())
        let values = gate.future
            .flatMap(on: .inPlace) { [delay, scheduler] in
                full.future.limited(.after(delay), on: scheduler, replacing: { .value(()) })
            }
            .flatMap(on: scheduler) { [self] in
                guard let keys = state.withLock({ $0.start(number) }) else { throw CancellationError() }
                return try request(keys.wanted)
            }
        // Prevents a cancel until all callers have left.
        let listener = values.step(on: .inPlace, .results) { .result($0) }.node
        listener.noteObserved()
        return (gate, full, values, listener)
    }
}

/// The error of a key for which the request of a ``BatchLoader`` has no value.
public struct MissingValueError: Error, CustomStringConvertible {
    package let key: any Sendable

    /// A message with the key.
    public var description: String {
        "The request of a BatchLoader has no value for the key \(key). Return a value for each key, or let Value be optional."
    }
}

/// Which keys are in which batch, and how many callers a batch has. A pure state machine: it calls nothing, but compares
/// and hashes keys.
private struct BatchState<Key: Hashable & Sendable, Value: Sendable> {
    /// The promises that start its time, and a full batch; the values of its request, and the listener that cancels it.
    typealias Batch = (gate: Promise<Void>, full: Promise<Void>, values: Future<[Key: Value]>, listener: Node)

    /// The batches that have callers.
    private var batches: [Int: (batch: Batch, keys: BatchKeys<Key>)] = [:]
    /// The batch that collects keys.
    private var collecting: Int?
    private var lastNumber = 0

    /// The number of keys that were collected.
    var count: Int { collecting.flatMap { batches[$0]?.keys.count } ?? 0 }

    /// Adds a caller to the batch that collects keys, or to a new one. A full batch collects no others, and has to be
    /// started.
    mutating func join(
        _ key: Key, maxCount: Int, makeBatch: (Int) -> Batch
    ) -> (number: Int, batch: Batch, isFull: Bool) {
        if collecting == nil {
            lastNumber += 1
            batches[lastNumber] = (makeBatch(lastNumber), BatchKeys())
            collecting = lastNumber
        }
        batches[lastNumber]!.keys.add(key)
        let isFull = count >= maxCount
        if isFull { collecting = nil }
        return (lastNumber, batches[lastNumber]!.batch, isFull)
    }

    /// Returns the keys of a batch that starts, and collects no others; nil if it has no callers any more.
    mutating func start(_ number: Int) -> BatchKeys<Key>? {
        if collecting == number { collecting = nil }
        return batches[number]?.keys
    }

    /// Removes a caller. If it was the last one, returns its batch, to be cancelled, and to be released without the lock.
    mutating func leave(_ number: Int, _ key: Key) -> (batch: Batch, keys: BatchKeys<Key>)? {
        batches[number]!.keys.remove(key)
        guard batches[number]!.keys.count == 0 else { return nil }
        if collecting == number { collecting = nil }
        return batches.removeValue(forKey: number)
    }
}

/// The keys of a batch, and how many callers wait for each.
private struct BatchKeys<Key: Hashable> {
    /// In the order of the calls. Keys without callers stay here, and may come again.
    private var all: [Key] = []
    private var callers: [Key: Int] = [:]

    var count: Int { callers.count }

    /// The keys that callers wait for, once each.
    var wanted: [Key] {
        var left = callers
        return all.filter { left.removeValue(forKey: $0) != nil }
    }

    mutating func add(_ key: Key) {
        callers[key, default: 0] += 1
        if callers[key] == 1 { all.append(key) }
    }

    mutating func remove(_ key: Key) {
        let rest = callers[key]! - 1
        callers[key] = rest > 0 ? rest : nil
    }
}

extension BatchLoader: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary { ("BatchLoader", ["collected": state.withLock { $0.count }]) }
}
