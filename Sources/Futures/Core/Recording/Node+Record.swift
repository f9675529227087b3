// Recording nodes: when each kind of node is recorded, while `Recording` is on.

extension Node {
    /// Records this step, which is about to be attached, and its source, if that is not recorded: a promise is, once
    /// something waits for it.
    @inline(never)
    func recordAttached() {
        let source = source!.takeUnretainedValue()
        _ = source.resolved.mark(Marks.observed)
        if !source.isSettled, !source.isRecorded, !source.traits.contains(.never) { Records.add(source, []) }
        // The listeners of the library are no futures.
        guard traits.contains(.listens) else {
            Records.add(self, CallStack.here)
            return recordHistory(of: self, after: source)
        }
        if traits.contains(.ofChild), let parent { recordHistory(of: parent.takeUnretainedValue(), after: source) }
    }

    /// Notes that a step or an operation is about to wait for this node.
    @inline(never)
    func recordIsAwaited() {
        _ = mark(Marks.observed)
        if !isSettled { Records.add(self, []) }
    }

    /// Records this root, which is about to start or to be enqueued.
    @inline(never)
    func recordStarting() {
        if !isRecorded { Records.add(self, CallStack.here) }
    }

    /// Records this root, which has failed. If nothing has listened to it, it has no record, and without one its failure
    /// would not be reported. That a promise was abandoned is reported anyway.
    @inline(never)
    func recordFailed() {
        // With a claim: the result is published, and may be released early.
        guard !isRecorded, !isObserved, !claimed({ isAbandoned }) else { return }
        Records.add(self, CallStack.here)
    }

    private var isAbandoned: Bool {
        if case .abandoned? = payload.storedError as? FutureError { true } else { false }
    }

    /// Notes that this operation has its turn now.
    @inline(never)
    func recordTurn() {
        let sample = Records.change(self) { record -> QueueSample? in
            let now = ContinuousClock.now
            record.started = now
            return QueueSample(record.queue, waited: record.created.duration(to: now))
        }
        if let sample { Measurements.add(sample) }
    }

    /// Notes the queue in which this operation waits for its turn.
    func recordQueue(_ queue: RecordedQueue) {
        Records.change(self) { $0.queue = queue }
    }

    /// Notes that the turn of this operation has ended. It may be called several times, and without a turn.
    @inline(never)
    func recordTurnEnded() {
        let sample = Records.read(self) { record -> QueueSample? in
            guard let started = record.started, record.ended == nil else { return nil }
            let now = ContinuousClock.now
            record.ended = now
            return QueueSample(record.queue, ran: started.duration(to: now))
        }
        if let sample = sample ?? nil { Measurements.add(sample) }
    }

    /// Gives this node a name. While recording is off, this records the node, without the functions that have made it.
    func setName(_ name: String) {
        if !traits.contains(.never) { Records.change(resolved) { $0.name = name } }
    }

    /// The name that was given to this node.
    var givenName: String? { Records.read(resolved) { $0.name } ?? nil }

    /// Notes that a thread or task of this operation awaits `other`.
    func recordAwaiting(_ other: Node, isByChild: Bool = false) {
        let awaited = Awaited(reference: WeakReference(other), isByChild: isByChild)
        Records.change(self) { $0.awaited.append(awaited) }
    }

    /// Notes that a task of this operation does not await `other` any more.
    func recordAwaitingEnded(_ other: Node) {
        Records.change(self) { record in
            if let index = record.awaited.firstIndex(where: { $0.reference.id == ObjectIdentifier(other) }) {
                record.awaited.remove(at: index)
            }
        }
    }

    /// An address in the operator that has made this node: the function that the node's job calls or, in a combination,
    /// the one that attaches it to its children.
    // A closure is a function pointer and a context, of which only the pointer is read. In a struct, because a function
    // that is a generic argument is wrapped in another one. Tested by `DiagnosticsTests`.
    var madeBy: UInt {
        struct Start { let call: Combination.Start }
        guard let combination = combinationOfRecipe else { return operationSlot.words.0 }
        return withUnsafeBytes(of: Start(call: combination.start)) { $0.load(as: UInt.self) }
    }
}
