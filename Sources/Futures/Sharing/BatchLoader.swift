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
/// A caller can cancel its future without affecting the others: its key stays in the batch. When all callers of a batch
/// have cancelled, its request is cancelled, or never made.
///
/// Nothing is cached, and a key that is asked for while its request runs is loaded again: in front of a loader, a
/// ``FutureCache`` or a ``SingleFlight`` shares its results, as in `cache.future(for: id) { loader.load(id) }`.
///
/// `==` and `hash` of a key are called by any thread, sometimes under a lock: they must not use the loader.
public final class BatchLoader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The promises that start its time, and a full batch; the values of its request, and its callers.
    private typealias Batch = (
        gate: Promise<Void>, full: Promise<Void>, values: Future<[Key: Value]>, callers: Locked<Callers>
    )
    /// The keys in their order, the number of callers that wait, and a listener of the request, which cancels it:
    /// before, no other one can.
    private typealias Callers = (keys: [Key], known: Set<Key>, count: Int, listener: Node?)

    /// The batch that collects keys. Callers come and leave under this lock.
    private let collecting = Locked<Batch?>(nil)
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
    ///   - request: Returns a future of the values of one or more different keys, in the order in which they were
    ///     first asked for.
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
        let (batch, isFull) = collecting.withLock { collecting in
            let batch = collecting ?? makeBatch()
            let isFull = batch.callers.withLock { callers in
                callers.count += 1
                if callers.known.insert(key).inserted { callers.keys.append(key) }
                return callers.keys.count >= maxCount
            }
            collecting = isFull ? nil : batch
            return (batch, isFull)
        }
        let callers = batch.callers
        let value = batch.values
            .map(on: .inPlace) { values in
                guard let value = values[key] else { throw MissingValueError(key: key) }
                return value
            }
            // A caller's own future, which leaves however it ends.
            .always(on: .inPlace) { [self] in
                let listener = change(callers) {
                    $0.count -= 1
                    return $0.count == 0 ? $0.listener.take() : nil
                }
                listener?.cancel()
            }
        // Without the lock, as timers of users' queues are started there. The first call counts.
        batch.gate.succeed()
        if isFull { batch.full.succeed() }
        return value
    }

    /// Changes the callers of a batch. It collects no other keys if it has started, or has no callers any more.
    private func change<T>(
        _ callers: Locked<Callers>, starts: Bool = false, _ body: (inout Callers) -> T
    ) -> T {
        let (result, ended) = collecting.withLock { collecting in
            let (result, ends) = callers.withLock { (body(&$0), starts || $0.count == 0) }
            return (result, ends && collecting?.callers === callers ? collecting.take() : nil)
        }
        // Released without the lock.
        withExtendedLifetime(ended) {}
        return result
    }

    /// Creates a batch. It calls no user code, so it can be created under the lock.
    private func makeBatch() -> Batch {
        let (gate, full, callers) = (Promise<Void>(), Promise<Void>(), Locked<Callers>(([], [], 0, nil)))
        let values = gate.future
            .flatMap(on: .inPlace) { [delay, scheduler] in
                full.future.limited(after: delay, on: scheduler, replacing: { .value(()) })
            }
            .flatMap(on: scheduler) { [self] in
                try request(change(callers, starts: true) { $0.keys })
            }
        let listener = values.step(on: .inPlace, .results) { .result($0) }.node
        listener.noteObserved()
        callers.withLock { $0.listener = listener }
        return (gate, full, values, callers)
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

extension BatchLoader: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        ("BatchLoader", ["collected": collecting.withLock { $0?.callers.withLock { $0.keys.count } ?? 0 }])
    }
}
