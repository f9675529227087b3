// Describing nodes: what a future is called in diagnosing.

import Futures

extension Node {
    /// This node in words; what it waits for is not read here.
    func vertex(
        _ record: Record?, _ operation: OperationState?, _ now: ContinuousClock.Instant
    ) -> WaitGraph.Vertex {
        let callSite = CallSite(stack: record?.stack ?? [])
        var vertex = WaitGraph.Vertex(title: title(callSite, operation))
        vertex.name = record?.name
        if let operation, operation.name.label == nil { vertex.queueWords = operation.words }
        vertex.site = knownOrigin.map { "at \($0)" } ?? callSite.place
        vertex.age = record.map { $0.created.duration(to: now) }
        vertex.isRunning = operation?.isRunning ?? false
        vertex.place = operation?.place
        vertex.isCombination = traits.contains(.combines)
        vertex.detail = operation.flatMap { $0.detail(record, now) }
        return vertex
    }

    private func title(_ callSite: CallSite, _ operation: OperationState?) -> String {
        let call = callSite.operation
        if let operation {
            let title = call ?? operation.call
            return operation.name.label == nil ? title : "\(title) \(operation.words)"
        }
        if let call { return call }
        if traits.contains(.never) { return "Future.never" }
        if traits.contains(.queued) { return "operation with a resource" }
        if traits.contains(.combines) { return Symbols.function(at: madeBy)?.operation ?? "join or select" }
        if isStep { return Symbols.function(at: madeBy)?.operation ?? "step" }
        return hasOperation ? "Future" : "Promise"
    }
}

extension RunningJob {
    /// What is running.
    func words(at now: ContinuousClock.Instant) -> String {
        node.map { $0.vertex($0.record, $0.operationState, now).text } ?? "a block"
    }
}

extension OperationState {
    /// The operator that makes such a future.
    fileprivate var call: String {
        awaitsEmptiness ? "drained" : awaitsCapacity ? "capacityAvailable" : "operation"
    }

    /// Which queue it belongs to: `on "ledger"`, or `of the FutureQueue made at App/Ledger.swift:8`.
    fileprivate var words: String {
        "\(awaitsEmptiness || awaitsCapacity ? "of" : "on") \(name.label == nil ? "the " : "")\(name)"
    }

    /// Its place in its queue, or since when it has its turn.
    fileprivate func detail(_ record: Record?, _ now: ContinuousClock.Instant) -> String? {
        guard !awaitsEmptiness, !awaitsCapacity else { return nil }
        if isRunning {
            return "running" + (record?.started.map { " for \(Text.duration($0.duration(to: now)))" } ?? "")
        }
        guard isWaiting else { return nil }
        let waiting = record.map { ", waiting \(Text.duration($0.created.duration(to: now)))" } ?? ""
        let place = place.map(Text.ordinal) ?? "behind the first \(Self.shownWaiting)"
        return "\(place) of \(isKeyed ? "its key" : "\(counts.waiting)")\(waiting)"
    }
}
