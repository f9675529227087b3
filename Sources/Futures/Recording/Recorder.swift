// Recorder: what FuturesDiagnostics is told of futures, and when. The only calls from this library to that one.

/// What is told of futures while `Recording.isOn`; of names, always.
///
/// Each function is called where something happens, so it must not block, and calls no code of users'. A node may be in
/// its deinit (`released`): nothing may retain it longer than the call.
package protocol Recorder: Sendable {
    /// A node is about to be attached, to start, or to be awaited; or it has failed. `isTraced`: its operator is calling.
    func made(_ node: Inspected, isTraced: Bool)
    /// A node retains `source`, and all that led to that.
    func attached(_ node: Inspected, to source: Inspected)
    /// A node with a record is being deallocated.
    func released(_ node: Inspected)

    func named(_ node: Inspected, _ name: String)
    func name(of node: Inspected) -> String?

    /// An operation is about to wait for its turn; has its turn; has given it back, which may be told several times, and
    /// without a turn.
    func enqueued(_ node: Inspected, in line: any RecordedLine)
    func turnStarted(_ node: Inspected)
    func turnEnded(_ node: Inspected)
    /// An operation waits in a line, as one of `count`.
    func waits(_ node: Inspected, in line: any RecordedLine, count: Int)
    /// A task of an operation awaits `other`, and does not any more. `isByChild`: the operation may end without it.
    func awaits(_ operation: Inspected, _ other: Inspected, isByChild: Bool)
    func awaitsNoMore(_ operation: Inspected, _ other: Inspected)

    /// A promise or a completion was released without being called.
    func abandoned(at origin: FutureError.SourceLocation)
    func timedOut()
    func retried()
    func refused()

    /// A permit was granted, or a thread waits for a future in the closures of these operations, until what this returns
    /// is disposed.
    func permit(of line: any RecordedLine, at site: FutureError.SourceLocation) -> any AnyObject & Disposable
    func wait(
        for node: Inspected, at site: FutureError.SourceLocation, in operations: [Inspected]
    ) -> any AnyObject & Disposable

    /// Runs a job that this thread runs on `scheduler`; nil for code outside of all schedulers.
    func run(_ job: Job, on scheduler: Unmanaged<Scheduler>?)
}

/// The line of a queue, lock or pool.
package protocol RecordedLine: AnyObject, Sendable {
    /// Such as `FutureQueue`.
    var kind: StaticString { get }
    /// Its label, or else where it was made.
    var label: String { get }
    /// The kind, with the label or else the place.
    var longName: String { get }
    var waitingCount: Int { get }
}

/// What has the recorder: `Recording`, by a conformance in `FuturesDiagnostics`.
package protocol HasRecorder {
    static var recorder: any Recorder { get }
}

extension Recording {
    /// What is told; nil in a program without `FuturesDiagnostics`.
    static let recorder = (Recording.self as Any as? any HasRecorder.Type)?.recorder
    /// The same while recording is on.
    static var recorderIfOn: (any Recorder)? { isOn ? recorder : nil }
}

extension Node {
    /// Records this step, which is about to be attached, and its source, if that is not recorded: a promise is, once
    /// something waits for it.
    @inline(never)
    func recordAttached() {
        let source = source!.takeUnretainedValue()
        // A join observes its first error only; the others, which it drops, are reported.
        let joins = traits.contains(.ofChild) && parent?.takeUnretainedValue().combinationOfRecipe?.needsAll == true
        if !joins { source.resolved.marks.insert(Marks.observed) }
        guard let recorder = Recording.recorder else { return }
        if !source.isSettled, !source.marks.contains(Marks.recorded), !source.traits.contains(.never) {
            recorder.made(Inspected(exactly: source), isTraced: false)
        }
        // The listeners of the library are no futures.
        guard traits.contains(.listens) else {
            recorder.made(Inspected(exactly: self), isTraced: true)
            return recorder.attached(Inspected(exactly: self), to: Inspected(exactly: source))
        }
        guard traits.contains(.ofChild), let parent else { return }
        recorder.attached(Inspected(exactly: parent.takeUnretainedValue()), to: Inspected(exactly: source))
    }

    /// Notes that a step or an operation is about to wait for this node.
    @inline(never)
    func recordIsAwaited() {
        marks.insert(Marks.observed)
        if !isSettled { Recording.recorder?.made(Inspected(exactly: self), isTraced: false) }
    }

    /// Records this root, which has failed. If nothing has listened to it, it has no record, and without one its failure
    /// would not be reported. That a promise was abandoned is reported anyway.
    @inline(never)
    func recordFailed() {
        if marks.contains(Marks.recorded | Marks.observed) { return }
        if case .abandoned? = payload.storedError as? FutureError { return }
        Recording.recorder?.made(Inspected(exactly: self), isTraced: true)
    }

    /// Gives this node a name, while recording is off, too.
    func setName(_ name: String) {
        if !traits.contains(.never) { Recording.recorder?.named(Inspected(self), name) }
    }

    /// Notes that this failed node's error was read, so that its failure is not reported as unobserved.
    @usableFromInline var observedError: any Error {
        if Recording.isOn { marks.insert(Marks.observed) }
        return payload.error
    }

    /// Has the failure of this node, which is a listener of the library's own, not reported.
    func noteObserved() {
        if Recording.isOn { marks.insert(Marks.observed) }
    }

    /// Whether a closure of the user's gets failures. Those of the library are called in place, are delays, or pass
    /// failures on.
    fileprivate var hasClosureForFailures: Bool {
        traits.contains(.failures) && traits.isDisjoint(with: [.later, .passesFailures])
            && !scheduler._withUnsafeGuaranteedRef { $0.isInPlace }
    }
}

// What a recorder reads of a node, and notes in it.
extension Inspected {
    /// Notes that the node has a record, which ends with the node. Returns false if that was noted before.
    package func markRecorded() -> Bool { node.marks.insert(Marks.recorded) }

    package var isRecorded: Bool { node.marks.contains(Marks.recorded) }

    /// The failure of a node that is being deallocated, if nothing has observed it.
    // A step whose closure wants failures has had this one, or has made it.
    package var unobservedFailure: (any Error)? {
        guard Recording.isOn, !node.marks.contains(Marks.observed), node.isSettled, !node.isSuccess,
            !node.hasClosureForFailures, !node.traits.contains(.listens), let error = node.payload.storedError,
            !(error is CancellationError)
        else { return nil }
        return error
    }

    /// The failure of a node that still exists, if nothing has observed it, once.
    package func takeUnobservedFailure() -> (any Error)? {
        guard node.isSettled else { return nil }
        defer { node.marks.insert(Marks.observed) }
        return unobservedFailure
    }

    /// How a node that is being deallocated has settled; nil if it has not.
    package var end: (isSuccess: Bool, isCancelled: Bool)? {
        node.isSettled ? (node.isSuccess, node.payload.storedError is CancellationError) : nil
    }

    /// The source, even if it is a link.
    package var source: Inspected? { node.source.map { Inspected(exactly: $0.takeUnretainedValue()) } }

    /// An address in the operator that has made this node: the function that the node's job calls or, in a combination,
    /// the one that attaches it to its children.
    // A closure is a function pointer and a context, of which only the pointer is read. In a struct, because a function
    // that is a generic argument is wrapped in another one. Tested by `DiagnosticsTests`.
    package var madeBy: UInt {
        struct Start { let call: Combination.Start }
        guard let combination = node.combinationOfRecipe else { return node.operationSlot.words.0 }
        return withUnsafeBytes(of: Start(call: combination.start)) { $0.load(as: UInt.self) }
    }
}
