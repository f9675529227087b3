// Recorder: what the library calls while diagnosing is on.

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

extension Recording: Recorder {
    package static func made(_ node: Node) {
        // Here, because each function in between takes one of the places in the stack.
        if !node.isRecorded { add(node, CallStack.here) }
        guard let operation = node.queued as? LineNode, operation.kind == .operation else { return }
        Records.change(node) { $0.queue = RecordedQueue(operation.line) }
    }

    package static func attached(_ node: Node) {
        guard let source = node.source?.takeUnretainedValue() else { return }
        let parent = node.traits.contains(.ofChild) ? node.parent?.takeUnretainedValue() : nil
        // A join observes its first error only; the others, which it drops, are reported.
        if parent?.combinationOfRecipe?.needsAll != true { source.resolved.marks.insert(Marks.observed) }
        // A promise is recorded once something waits for it.
        if !source.isSettled, !source.traits.contains(.never) { add(source, []) }
        // The listeners of the library are no futures.
        if !node.traits.contains(.listens) {
            add(node, CallStack.here)
            HistoryLimit.count(node, after: source)
        } else if let parent {
            HistoryLimit.count(parent, after: source)
        }
    }

    package static func awaited(_ node: Node) {
        node.marks.insert(Marks.observed)
        if !node.isSettled { add(node, []) }
    }

    /// If nothing has listened to the node, it has no record, and without one its failure would not be reported. That a
    /// promise was abandoned is reported anyway.
    package static func failed(_ node: Node) {
        if node.marks.contains(Marks.recorded | Marks.observed) { return }
        if case .abandoned? = node.storedError as? FutureError { return }
        add(node, CallStack.here)
    }

    private static func add(_ node: Node, _ stack: [UInt]) {
        _ = started
        Records.add(node, stack)
    }

    package static func released(_ node: Node) {
        guard let record = Records.remove(node) else { return }
        if Measurements.isOn, node.isSettled {
            let isCancelled = node.storedError is CancellationError
            Measurements.count { counts in
                if node.isSuccess {
                    counts.succeeded += 1
                } else if isCancelled {
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

    package static func named(_ node: Node, _ name: String) {
        if !node.traits.contains(.never) { Records.change(node) { $0.name = name } }
    }

    package static func name(of node: Node) -> String? { Records.read(node, \.name) ?? nil }

    package static func enqueued(_ node: Node) {
        guard let operation = node.queued as? LineNode, operation.kind == .operation else { return }
        if !node.origin.fileID.isEmpty { DepthLimit.check(operation.line, node.origin) }
    }

    package static func begun(_ node: Node) {
        guard node.queued != nil else { return }
        let sample = Records.change(node) { record -> QueueSample? in
            let now = ContinuousClock.now
            record.started = now
            return QueueSample(record.queue, waited: record.created.duration(to: now))
        }
        if let sample { Measurements.add(sample) }
    }

    package static func turnEnded(_ node: Node) {
        guard node.isRecorded else { return }
        let sample = Records.change(node) { record -> QueueSample? in
            guard let started = record.started, record.ended == nil else { return nil }
            let now = ContinuousClock.now
            record.ended = now
            return QueueSample(record.queue, ran: started.duration(to: now))
        }
        if let sample { Measurements.add(sample) }
    }

    package static func abandoned(at origin: FutureError.SourceLocation) {
        RecordedEvent.abandoned(origin: origin).tell()
    }

    package static func timedOut() { Measurements.count { $0.timedOut += 1 } }

    package static func retried() { Measurements.count { $0.retried += 1 } }

    package static func refused() { Measurements.count { $0.refused += 1 } }

    package static func permit(of node: Node) -> any AnyObject & Disposable { PermitRecord(of: node) }

    package static func wait(for node: Node, at site: FutureError.SourceLocation) -> any AnyObject & Disposable {
        ThreadWait(for: node, at: site)
    }

    package static func wait(for node: Node) -> (any AnyObject & Disposable)? {
        AwaitingOperation.current?.wait(for: node)
    }

    package static var runningOperation: (any AnyObject & Sendable)? {
        ThreadState.here.runningNodes.first { $0.queued != nil }.map { WeakReference($0) }
    }

    package static func run<T: Sendable>(
        _ operation: any AnyObject & Sendable, _ body: @Sendable () async throws -> T
    ) async throws -> T {
        try await AwaitingOperation.run(operation as! WeakReference, body)
    }

    package static func run(_ job: Job) { RunningJob.run(job, on: ThreadState.here.scheduler) }
}

extension Recording {
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
