// ModelLoop: the order in which the models' one thread runs its jobs.

/// Runs jobs one after the other, depth first. Those that call no callback run at once.
final class ModelLoop {
    enum Kind {
        /// It calls no callback.
        case urgent
        /// It calls none either, but stays behind the callbacks ahead of it.
        case following
        case callback
    }

    struct Job {
        /// What it does if it runs now.
        let kind: () -> Kind
        let run: () -> Void

        init(_ kind: @autoclosure @escaping () -> Kind, _ run: @escaping () -> Void) {
            self.kind = kind
            self.run = run
        }
    }

    private var isServing = false
    /// What the job in progress has led to.
    private var caused: [Job] = []

    /// Runs the jobs and what they lead to. In a job, only those that call no callback.
    func serve(_ jobs: [Job]) {
        let others = urgentFirst(jobs)
        guard !isServing else { return caused += others }
        isServing = true
        var jobs = others + takeCaused()
        while !jobs.isEmpty {
            jobs.removeFirst().run()
            let caused = urgentFirst(takeCaused())
            jobs = caused + jobs
        }
        isServing = false
    }

    /// Adds jobs, as the last step of a job.
    func add(_ jobs: [Job]) {
        if isServing { caused += jobs } else { serve(jobs) }
    }

    /// Calls `body`, and runs those of the jobs that it adds that call no callback.
    func serving<T>(_ body: () -> T) -> T {
        guard isServing else { return body() }
        let outer = takeCaused()
        let result = body()
        let jobs = takeCaused()
        caused = outer
        serve(jobs)
        return result
    }

    /// Runs the jobs that call no callback, and those to which they lead. Returns the others.
    private func urgentFirst(_ jobs: [Job]) -> [Job] {
        guard !jobs.isEmpty else { return [] }
        let (outer, wasServing) = (takeCaused(), isServing)
        isServing = true
        var (jobs, others) = (jobs, [Job]())
        while !jobs.isEmpty {
            let job = jobs.removeFirst()
            let kind = job.kind()
            if kind == .urgent || kind == .following && others.isEmpty {
                job.run()
                jobs = takeCaused() + jobs
            } else {
                others.append(job)
            }
        }
        (caused, isServing) = (outer, wasServing)
        return others
    }

    private func takeCaused() -> [Job] {
        defer { caused = [] }
        return caused
    }
}
