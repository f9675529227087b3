// RecordedEvent: what happens to futures that their code may not have meant.

/// Something that happens to a future, of which code that diagnoses is told.
// No instants in it: their layout is not known at compile time, and an enum of those is five kilobytes of each program.
package enum RecordedEvent: Sendable {
    /// A future with this error was released, and nothing had listened to it or read its result.
    case unobservedFailure(any Error, stack: [UInt], name: String?, origin: FutureError.SourceLocation?, madeBy: UInt)
    /// A promise or a completion was released without being called.
    case abandoned(origin: FutureError.SourceLocation)
    /// More operations wait in a queue than the limit, since the one that was enqueued at this place.
    case deepQueue(name: String, count: Int, origin: FutureError.SourceLocation)
    /// A step was attached after as many others as the limit, which it retains.
    case longHistory(count: Int, stack: [UInt], name: String?, origin: FutureError.SourceLocation?, madeBy: UInt)

    /// A struct, because of what `Locked` does to closures.
    private struct Handler {
        var call: (@Sendable (RecordedEvent) -> Void)?
    }

    private static let handler = Locked(Handler())

    /// What is told of events while `Recording` is on. It is called where they happen, so it must not block.
    package static func setHandler(_ body: (@Sendable (RecordedEvent) -> Void)?) {
        let old = handler.withLock { handler in
            defer { handler.call = body }
            return handler
        }
        withExtendedLifetime(old) {}
    }

    /// Reports the failures that nothing has observed of nodes that still exist: the process ends.
    package static func tellUnobservedFailures() {
        for node in Records.nodes where node.isSettled {
            guard let record = Records.read(node, { $0 }) else { continue }
            node.claimed { node.tellIfUnobserved(record) }
            // Once only.
            _ = node.mark(Marks.observed)
        }
    }

    func tell() {
        Self.handler.withLock { $0 }.call?(self)
    }
}

extension Node {
    /// Notes that this failed node's error was read, so that its failure is not reported as unobserved.
    @usableFromInline var observedError: any Error {
        if Recording.isOn { _ = mark(Marks.observed) }
        return payload.error
    }

    /// Removes the record of this node, which is being deallocated, and reports its failure if nothing has observed
    /// that.
    @inline(never)
    func endRecord() {
        let record = Records.remove(self)
        guard let record else { return }
        countEnd()
        tellIfUnobserved(record)
    }

    fileprivate func tellIfUnobserved(_ record: Record) {
        // A step whose closure wants failures has had this one, or has made it.
        guard Recording.isOn, !isObserved, isSettled, !isSuccess, !hasClosureForFailures,
            !traits.contains(.listens), let error = payload.storedError, !(error is CancellationError)
        else { return }
        RecordedEvent.unobservedFailure(
            error, stack: record.stack, name: record.name, origin: nearestOrigin, madeBy: madeBy
        ).tell()
    }

    /// Has the failure of this node, which is a listener of the library's own, not reported.
    func noteObserved() {
        if Recording.isOn { _ = mark(Marks.observed) }
    }

    /// Has the failure of this node reported if nothing observes it, although its closure gets failures: that is one of
    /// the library's, on a scheduler of the user's.
    func notePassesFailures() {
        if Recording.isOn { _ = mark(Marks.passesFailures) }
    }

    /// Whether a closure of the user's gets failures. Those of the library are called in place or, as delays, later.
    private var hasClosureForFailures: Bool {
        traits.contains(.failures) && !traits.contains(.later) && !passesFailures
            && !scheduler._withUnsafeGuaranteedRef { $0.isInPlace }
    }

    private func countEnd() {
        guard Measurements.isOn, isSettled else { return }
        let isCancelled = payload.storedError is CancellationError
        Measurements.count {
            if isSuccess { $0.succeeded += 1 } else if isCancelled { $0.cancelled += 1 } else { $0.failed += 1 }
        }
    }

    /// The source location of this node, or that of the nearest node upstream that has one, among 64.
    var nearestOrigin: FutureError.SourceLocation? {
        var node = self
        for _ in 0..<64 {
            if !node.origin.fileID.isEmpty { return node.origin }
            guard let source = node.source else { return nil }
            node = source.takeUnretainedValue()
        }
        return nil
    }
}
