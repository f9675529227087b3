// SharingState: which callers share which run, and which values are cached.

/// A pure state machine: the runs in progress and the values that are kept. It calls no closures, and returns the
/// objects that it no longer needs, to be released outside of the lock.
// Without a type parameter: an operation that looks for metadata takes twice as long.
struct SharingState {
    enum Found {
        /// A value is kept.
        case kept(SharedEntry)
        /// The caller is counted, here and in `new`.
        case flight(Flight)
        /// The caller has to open its gate.
        case new(Flight)
    }

    private var table = KeyTable<SharedEntry>()
    private var kept = KeptValues()
    /// The number of runs that have begun.
    private var flightCount = 0
    private let maxCount: Int

    init(maxCount: Int) { self.maxCount = maxCount }

    /// What there is for a key. `isEqual` compares the key with that of an entry of the same hash.
    func entry(_ hash: Int, where isEqual: (SharedEntry) -> Bool) -> SharedEntry? {
        table.entry(hash, where: isEqual)
    }

    var count: Int { kept.count }

    var runningCount: Int { table.count - kept.count }

    /// What there is in `entry`, which a search has found, or what is made. In one go: between a look and a second one
    /// for what is not there, a whole run could come and go, and its value would be fetched twice.
    mutating func arrive(
        in entry: SharedEntry?, or makeEntry: () -> SharedEntry, at now: ContinuousClock.Instant,
        expires end: ContinuousClock.Instant?, orBegin makeFlight: (Flight.Number) -> Flight
    ) -> (Found, [AnyObject]) {
        var dropped: [AnyObject] = []
        while let oldest = kept.expired(at: now) { dropped.append(remove(oldest)) }
        if let entry, entry.isPresent {
            if kept.use(entry, at: now) { return (.kept(entry), dropped) }
            if let flight = entry.flight {
                guard flight.isOver else {
                    flight.callers += 1
                    return (.flight(flight), dropped)
                }
                // Another thread is about to report the end. A caller that joined late may have been called already,
                // and must not get an old result.
                dropped += finish(flight.number, at: now, expires: end)
                if kept.use(entry, at: now) { return (.kept(entry), dropped) }
            }
            // An expired value may be kept behind a younger one.
            if entry.isPresent { dropped.append(remove(entry)) }
        }
        let entry = makeEntry()
        table.insert(entry)
        flightCount += 1
        let flight = makeFlight(Flight.Number(hash: entry.hash, id: flightCount))
        entry.flight = flight
        flight.callers += 1
        return (.new(flight), dropped)
    }

    /// Removes a caller; returns whether it was the last one.
    mutating func leave(_ flight: Flight) -> (Bool, AnyObject?) {
        flight.callers -= 1
        guard flight.callers == 0 else { return (false, nil) }
        return (true, entry(flight.number).map { remove($0) })
    }

    /// Removes a run that has completed. Its value is cached, if it has one, unless it was forgotten meanwhile.
    mutating func finish(
        _ number: Flight.Number, at now: ContinuousClock.Instant, expires end: ContinuousClock.Instant?
    ) -> [AnyObject] {
        guard let entry = entry(number), let flight = entry.flight else { return [] }
        guard maxCount > 0, end.map({ $0 > now }) ?? true, entry.keepValue(of: flight.run) else {
            return [remove(entry)]
        }
        // What is kept is the value alone.
        entry.flight = nil
        var dropped: [AnyObject] = [flight]
        if kept.count == maxCount, let oldest = kept.leastUsed { dropped.append(remove(oldest)) }
        kept.add(entry, until: end)
        return dropped
    }

    mutating func forget(_ entry: SharedEntry) -> AnyObject { remove(entry) }

    /// The entry, counted as used, if its value is kept and has not expired.
    mutating func use(_ entry: SharedEntry, at now: ContinuousClock.Instant) -> SharedEntry? {
        entry.isPresent && kept.use(entry, at: now) ? entry : nil
    }

    /// Keeps the value of a new entry. Returns what it has replaced, which another search has found.
    mutating func keep(
        _ new: SharedEntry, insteadOf old: SharedEntry?, at now: ContinuousClock.Instant,
        expires end: ContinuousClock.Instant?
    ) -> [AnyObject] {
        var dropped: [AnyObject] = []
        while let oldest = kept.expired(at: now) { dropped.append(remove(oldest)) }
        if let old, old.isPresent { dropped.append(remove(old)) }
        guard end.map({ $0 > now }) ?? true else { return dropped + [new] }
        if kept.count == maxCount, let oldest = kept.leastUsed { dropped.append(remove(oldest)) }
        table.insert(new)
        kept.add(new, until: end)
        return dropped
    }

    /// Gives away all there is.
    mutating func forgetAll() -> [AnyObject] {
        kept = KeptValues()
        return table.removeAll()
    }

    private mutating func remove(_ entry: SharedEntry) -> AnyObject {
        if entry.isKept { kept.remove(entry) }
        return table.remove(entry)
    }

    /// The entry of a run in progress.
    private func entry(_ number: Flight.Number) -> SharedEntry? {
        table.entry(number.hash) { $0.flight?.number.id == number.id }
    }
}

/// A run in progress.
// Safe to share: `callers` is touched under the lock of the state only. Tested by `SharingStressTests`, under the
// thread sanitizer.
final class Flight: @unchecked Sendable {
    /// Identifies a run without retaining it.
    struct Number {
        /// The hash of its key.
        let hash: Int
        let id: Int
    }

    let number: Number
    let gate: Promise<Void>
    let run: Node
    /// The sharing's own listener, because of which no other listener can cancel the future.
    let listener: Node
    fileprivate(set) var callers = 0

    init(_ number: Number, gate: Promise<Void>, run: Node, listener: Node) {
        self.number = number
        self.gate = gate
        self.run = run
        self.listener = listener
    }

    var isOver: Bool { run.hasSettled }
}
