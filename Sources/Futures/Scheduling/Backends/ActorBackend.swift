// ActorBackend: jobs that run on an actor, in the order in which they were enqueued.

/// Runs jobs on an actor: one list, drained by one task.
///
/// With one task for each job, the jobs lost their order (in 25 of 50 runs).
final class ActorBackend: SchedulerBackend {
    private let actor: any Actor
    private let waiting = Locked<JobList?>(nil)

    init(_ actor: any Actor) {
        self.actor = actor
    }

    var isSerial: Bool { true }
    var description: String { "\(actor)" }
    var identity: ObjectIdentifier { ObjectIdentifier(actor) }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) {
        let jobs = JobList(job)
        if waiting.withLock({ $0.add(jobs) }) { return }
        // Detached, because the code that enqueues has task-local values and a priority of its own, and other code may
        // have attached the callbacks. So all callbacks have the default priority of a task.
        // In a simulation, the task is simulated, and its callbacks have the actor all the same.
        Task.detached(executorPreference: Worlds.pool, priority: .medium) {
            await self.drain(jobs, on: self.actor, as: scheduler)
        }
    }

    /// Runs `jobs` and those that wait. After every hundred jobs it lets the actor do other work.
    private func drain(_ jobs: JobList, on actor: isolated any Actor, as scheduler: Scheduler) async {
        var jobs = jobs
        while true {
            for _ in 0..<100 {
                scheduler.run(jobs)
                jobs = waiting.withLock { $0.next() }
                if jobs.isEmpty { return }
            }
            await Task.yield()
        }
    }
}

extension ActorBackend {
    private struct Known {
        weak var scheduler: Scheduler?
    }

    private static let known = Locked<[ObjectIdentifier: Known]>([:])

    /// Returns the only scheduler of `actor`, so that callbacks attached in different places share its list.
    static func scheduler(of actor: any Actor) -> Scheduler {
        // Released without the lock, as these may be the last references.
        var others: [Scheduler?] = []
        defer { withExtendedLifetime(others) {} }
        return known.withLock { known in
            if let scheduler = known[ObjectIdentifier(actor)]?.scheduler { return scheduler }
            // Before it grows, the entries of those that were released are removed.
            if known.count == known.capacity {
                others = known.values.map(\.scheduler)
                known = known.filter { $0.value.scheduler != nil }
                known.reserveCapacity(2 * known.count)
            }
            let scheduler = Scheduler(backend: ActorBackend(actor))
            known[ObjectIdentifier(actor)] = Known(scheduler: scheduler)
            return scheduler
        }
    }
}
