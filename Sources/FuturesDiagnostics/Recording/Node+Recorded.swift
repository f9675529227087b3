// What diagnosing reads of a node. Everything is read anew, and safe while other threads run.

import Futures

extension Node {
    var isPending: Bool { !hasSettled }

    // Not by its source, which the thread that releases the node may be taking.
    var isStep: Bool { !hasOperation && !traits.isDisjoint(with: [.results, .accompanied, .listens]) }
    /// Whether an operation of its own completes it, and no promise does.
    var hasOperation: Bool { traits.contains(.begins) }

    /// Whether it waits for a call of the completion closure that its operation was given: the operation has returned.
    var awaitsCall: Bool { hasOperation && knownOrigin != nil && hasBegun }

    /// Where it was made; nil if that was not passed.
    var knownOrigin: FutureError.SourceLocation? { origin.fileID.isEmpty ? nil : origin }

    /// The future that it listens to, if it is one of the library's listeners; otherwise itself.
    var listenedTo: Node {
        guard traits.contains(.listens), let upstream = withLock({ _ in upstream }) else { return self }
        return upstream ?? self
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

extension Node {
    /// Whether the node has a record, which ends with the node.
    var isRecorded: Bool { marks.contains(Marks.recorded) }

    /// What was recorded of the node.
    var record: Record? { Records.read(self) { $0 } }

    /// The nodes that are recorded, in no order.
    static var allRecorded: [Node] { Records.nodes.compactMap { $0.node?.resolved } }

    /// The failure of the node, if nothing has observed it, while recording is on.
    // A step whose closure wants failures has had this one, or has made it.
    var unobservedFailure: (any Error)? {
        guard Recording.isOn, isSettled, !isSuccess, !marks.contains(Marks.observed), !traits.contains(.listens),
            !hasClosureForFailures, let error = storedError, !(error is CancellationError)
        else { return nil }
        return error
    }

    /// Whether a closure of the user's gets failures. Those of the library are called in place, are delays, or pass
    /// failures on.
    private var hasClosureForFailures: Bool {
        traits.contains(.failures) && traits.isDisjoint(with: [.later, .passesFailures])
            && !scheduler.takeUnretainedValue().isInPlace
    }
}
