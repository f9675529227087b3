// Watch: one check of what takes too long, and what earlier checks have found.

import Futures

/// Finds what takes too long, each time it is checked.
struct Watch {
    /// What is in progress: addresses are used again, but not with the same start.
    private struct Key: Hashable {
        let address: UInt
        let started: ContinuousClock.Instant

        init(_ address: UInt, _ started: ContinuousClock.Instant) {
            self.address = address
            self.started = started
        }

        init(_ id: ObjectIdentifier, _ started: ContinuousClock.Instant) { self.init(UInt(bitPattern: id), started) }
    }

    /// At most this many events of a kind come from one check; others come from the next ones.
    static let maxCount = 20

    /// What needs no event any more. What has ended is removed at each check.
    private var done = Set<Key>()
    /// The waits that were found to be endless at their last examination.
    private var suspected = Set<Key>()
    /// When a wait is examined again, by its age.
    private var nextExaminations: [Key: Duration] = [:]

    /// Returns what has come to take too long by now. No lock is held, and no code of the user's is called; but the
    /// last reference to a future may be released.
    ///
    /// - Complexity: O(*n*) in the number of futures that are recorded, and that of the graphs of what is found.
    mutating func check(_ limits: Diagnostics.Limits, now: ContinuousClock.Instant) -> [Diagnostics.Event] {
        DepthLimit.refresh()
        let activities = ActivityRecord.all
        var (events, current) = ([Diagnostics.Event](), Set<Key>())
        if let limit = limits.callback { events += callbacks(startedBefore: now - limit, now, &current) }
        if let limit = limits.operation {
            events += operations(startedBefore: now - limit, now, &current)
            events += permits(activities, startedBefore: now - limit, now, &current)
        }
        if let limit = limits.wait { events += waits(activities, startedBefore: now - limit, now, &current) }
        done.formIntersection(current)
        suspected.formIntersection(current)
        nextExaminations = nextExaminations.filter { current.contains($0.key) }
        return events
    }

    private mutating func callbacks(
        startedBefore instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant, _ current: inout Set<Key>
    ) -> [Diagnostics.Event] {
        // A callback may call others on its scheduler, for example in `wait`: the outermost is reported, once, and the
        // innermost is what blocks.
        var known = Set<Scheduler>()
        let outermost = RunningJob.all(startedBefore: instant).filter {
            $0.isBlocking && known.insert($0.scheduler!).inserted
        }
        guard !outermost.isEmpty else { return [] }
        let running = RunningJob.all
        return events(of: outermost.map { (Key($0.address, $0.started), $0) }, &current) { outer in
            let (scheduler, age) = (outer.scheduler!, outer.started.duration(to: now))
            let job = running.last { $0.scheduler == scheduler } ?? outer
            let subject = job.words(at: now)
            return .init(
                .blockedScheduler, subject, duration: age,
                "\(scheduler) has been blocked for \(Text.duration(age)) by \(subject).")
        }
    }

    private mutating func operations(
        startedBefore instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant, _ current: inout Set<Key>
    ) -> [Diagnostics.Event] {
        let turns = RecordedTurn.all(startedBefore: instant).map { (Key($0.id, $0.started), $0) }
        return events(of: turns, &current) { turn in
            // A future that has completed may keep its turn for a moment.
            guard let operation = turn.operation, operation.isPending else { return nil }
            let graph = WaitGraph(of: [operation], ActivityRecord.all.filter { $0 is PermitRecord }, now: now)
            guard let vertex = graph.vertices.first else { return nil }
            return .init(
                .longOperation, vertex.text, duration: turn.started.duration(to: now),
                "An operation is taking long: \(graph.chain(from: 0))")
        }
    }

    private mutating func permits(
        _ activities: [ActivityRecord], startedBefore instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant,
        _ current: inout Set<Key>
    ) -> [Diagnostics.Event] {
        let permits = activities.lazy.compactMap { $0 as? PermitRecord }.filter { $0.started < instant }
        return events(of: permits.map { (Key(ObjectIdentifier($0), $0.started), $0) }, &current) { permit in
            let subject = "the permit of \(permit.queueName) granted at \(permit.site)"
            let age = permit.started.duration(to: now)
            return .init(
                .longOperation, subject, duration: age,
                "The permit of \(permit.queueName) granted at \(permit.site) has been held for \(Text.duration(age)).")
        }
    }

    private mutating func waits(
        _ activities: [ActivityRecord], startedBefore instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant,
        _ current: inout Set<Key>
    ) -> [Diagnostics.Event] {
        var events: [Diagnostics.Event] = []
        for case let wait as ThreadWait in activities where wait.started < instant {
            let (key, age) = (Key(ObjectIdentifier(wait), wait.started), wait.started.duration(to: now))
            current.insert(key)
            guard !done.contains(key), age >= nextExaminations[key] ?? .zero, let future = wait.future else { continue }
            let graph = WaitGraph(of: [future], activities.filter { $0 is PermitRecord }, now: now)
            guard graph.hopeless.contains(0) else {
                suspected.remove(key)
                nextExaminations[key] = age * 2
                continue
            }
            // Parts of a graph may be of different moments, but what never ends is found again.
            guard !suspected.insert(key).inserted else { continue }
            done.insert(key)
            events.append(
                .init(
                    .endlessWait, "wait() at \(wait.site)", duration: age,
                    "The future of wait() at \(wait.site) cannot complete: \(graph.chain(from: 0))"))
        }
        return events
    }

    /// The events of those that have none yet, at most `maxCount`. `event` may return nil for one that needs no event.
    private mutating func events<Subject>(
        of subjects: some Sequence<(Key, Subject)>, _ current: inout Set<Key>,
        _ event: (Subject) -> Diagnostics.Event?
    ) -> [Diagnostics.Event] {
        var events: [Diagnostics.Event] = []
        for (key, subject) in subjects {
            current.insert(key)
            guard events.count < Self.maxCount, done.insert(key).inserted else { continue }
            if let event = event(subject) { events.append(event) }
        }
        return events
    }
}
