// FutureRecorder: what the library calls while diagnosing is on.

import Futures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

extension Recording: HasRecorder {
    package static var recorder: any Recorder { FutureRecorder() }
}

struct FutureRecorder: Recorder {
    func made(_ node: Inspected, isTraced: Bool) {
        guard !node.isRecorded else { return }
        _ = Self.started
        // Here, because each function in between takes one of the places in the stack.
        let stack = isTraced ? CallStack.here : []
        Records.add(node, stack)
    }

    func attached(_ node: Inspected, to source: Inspected) { HistoryLimit.count(node, after: source) }

    func released(_ node: Inspected) {
        guard let record = Records.remove(node) else { return }
        if Measurements.isOn, let end = node.end {
            Measurements.count { counts in
                if end.isSuccess {
                    counts.succeeded += 1
                } else if end.isCancelled {
                    counts.cancelled += 1
                } else {
                    counts.failed += 1
                }
            }
        }
        if let error = node.unobservedFailure {
            RecordedEvent.unobservedFailure(error, .init(node, record)).tell()
        }
    }

    func named(_ node: Inspected, _ name: String) { Records.change(node) { $0.name = name } }

    func name(of node: Inspected) -> String? { Records.read(node, \.name) ?? nil }

    func enqueued(_ node: Inspected, in line: any RecordedLine) {
        Records.change(node) { $0.queue = RecordedQueue(line) }
    }

    func turnStarted(_ node: Inspected) {
        let sample = Records.change(node) { record -> QueueSample? in
            let now = ContinuousClock.now
            record.started = now
            return QueueSample(record.queue, waited: record.created.duration(to: now))
        }
        if let sample { Measurements.add(sample) }
    }

    func turnEnded(_ node: Inspected) {
        guard node.isRecorded else { return }
        let sample = Records.change(node) { record -> QueueSample? in
            guard let started = record.started, record.ended == nil else { return nil }
            let now = ContinuousClock.now
            record.ended = now
            return QueueSample(record.queue, ran: started.duration(to: now))
        }
        if let sample { Measurements.add(sample) }
    }

    func waits(_ node: Inspected, in line: any RecordedLine, count: Int) {
        if let origin = node.origin { DepthLimit.check(line, count: count, origin) }
    }

    func awaits(_ operation: Inspected, _ other: Inspected, isByChild: Bool) {
        Records.change(operation) { $0.await(other, isByChild: isByChild) }
    }

    func awaitsNoMore(_ operation: Inspected, _ other: Inspected) {
        Records.change(operation) { $0.awaitNoMore(other.id) }
    }

    func abandoned(at origin: FutureError.SourceLocation) { RecordedEvent.abandoned(origin: origin).tell() }

    func timedOut() { Measurements.count { $0.timedOut += 1 } }

    func retried() { Measurements.count { $0.retried += 1 } }

    func refused() { Measurements.count { $0.refused += 1 } }

    func permit(of line: any RecordedLine, at site: FutureError.SourceLocation) -> any AnyObject & Disposable {
        PermitRecord(of: line, at: site)
    }

    func wait(
        for node: Inspected, at site: FutureError.SourceLocation, in operations: [Inspected]
    ) -> any AnyObject & Disposable {
        ThreadWait(for: node, at: site, in: operations)
    }

    func run(_ job: Job, on scheduler: Unmanaged<Scheduler>?) { RunningJob.run(job, on: scheduler) }
}

extension FutureRecorder {
    #if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)
        /// The watch of the process's life, and what else starts with the first node that is recorded, if the
        /// environment says so.
        private static let watch = Diagnostics.dumpOnQuit()

        private static let started: Void = {
            if Recording.isOn, let value = getenv("FUTURES_DIAGNOSE"), value[0] != 0 {
                _ = watch
                Diagnostics.dumpAtExit()
                Diagnostics.startEvents()
                Watcher.startWithProcess()
            }
        }()
    #else
        private static let started: Void = ()
    #endif
}
