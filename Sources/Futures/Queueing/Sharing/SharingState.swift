// SharingState: who shares which run, and what is kept.

internal import Synchronization

/// A pure state machine: the runs in progress and the values that are kept. It calls nothing but what keys need to be
/// compared, and gives back what it lets go of, to be released outside of the lock.
struct SharingState<Key: Hashable & Sendable, Value: Sendable> {
    enum Found {
        case value(Value)
        /// The caller is counted, here and in `new`.
        case flight(Flight)
        /// The caller has to open its gate.
        case new(Flight)
    }

    private var flights: [Key: Flight] = [:]
    private var kept: KeptValues<Key, Value>

    init(maxCount: Int) { kept = KeptValues(maxCount: maxCount) }

    var count: Int { kept.count }

    var runningCount: Int { flights.count }

    /// What there is for `key`, or what `make` makes. In one go: between a look and a second one for what is not there,
    /// a whole run could come and go, and its value would be fetched twice.
    mutating func arrive(
        for key: Key, at now: ContinuousClock.Instant, expires end: ContinuousClock.Instant?,
        orBegin make: () -> Flight
    ) -> (Found, [AnyObject]) {
        var dropped = kept.dropExpired(at: now)
        if let value = kept.use(key, at: now) { return (.value(value), dropped) }
        if let flight = flights[key] {
            guard let result = flight.future.result else {
                flight.enter()
                return (.flight(flight), dropped)
            }
            // Another thread is about to say so. Who joined late may have heard already, and is to get no old result.
            dropped += finish(key, flight.mark, try? result.get(), at: now, expires: end)
            if let value = kept.use(key, at: now) { return (.value(value), dropped) }
        }
        let new = make()
        flights[key] = new
        new.enter()
        return (.new(new), dropped)
    }

    /// A caller is over; true if it was the last one.
    mutating func leave(_ flight: Flight) -> Bool {
        guard flight.leave() else { return false }
        // The caller still has it: so it is not released here, nor is its key.
        if flights[flight.key] === flight { flights[flight.key] = nil }
        return true
    }

    /// A run is over; its value, if there is one, is kept, unless it was forgotten meanwhile.
    mutating func finish(
        _ key: Key, _ mark: Flight.Mark, _ value: Value?, at now: ContinuousClock.Instant,
        expires end: ContinuousClock.Instant?
    ) -> [AnyObject] {
        guard let flight = flights[key], flight.mark === mark else { return [] }
        flights[key] = nil
        guard let value, end.map({ $0 > now }) ?? true else { return [flight] }
        return [flight] + kept.keep(value, for: key, until: end)
    }

    mutating func forget(_ key: Key) -> [AnyObject] {
        let flight = flights[key]
        if flight != nil { flights[key] = nil }
        return [flight, kept.remove(key)].compactMap { $0 }
    }

    mutating func forgetAll() {
        flights = [:]
        kept = KeptValues(maxCount: kept.maxCount)
    }
}

extension SharingState {
    /// A run in progress.
    final class Flight: Sendable {
        /// What tells a run from the next one for the same key, without keeping it.
        final class Mark: Sendable {}

        let key: Key
        let mark: Mark
        let gate: Promise<Void>
        let future: Future<Value>
        /// The sharing's own listener, which keeps off a cancel.
        let listener: Future<Value>
        /// Atomic for the compiler only: it is touched under the lock of the state.
        private let callers = Atomic<Int>(0)

        init(key: Key, mark: Mark, gate: Promise<Void>, future: Future<Value>, listener: Future<Value>) {
            self.key = key
            self.mark = mark
            self.gate = gate
            self.future = future
            self.listener = listener
        }

        fileprivate func enter() { callers.add(1, ordering: .relaxed) }

        /// Whether it was the last one.
        fileprivate func leave() -> Bool { callers.subtract(1, ordering: .relaxed).newValue == 0 }
    }
}
