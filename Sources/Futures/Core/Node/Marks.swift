// Marks: what becomes true of a node at some time, and stays true.

internal import Synchronization

/// The bits of `Node.marks`. A thread that sets one reads no other memory because of it, so the accesses are relaxed.
enum Marks {
    /// There is a `Record` of the node, which its deinit removes.
    static let recorded: UInt8 = 2
    /// Another node, a thread or a task has listened to the node, or read its error, while `Recording` was on.
    static let observed: UInt8 = 4
    /// The node has captured the task-local values that were carried where it was made, if any.
    static let hasCaptured: UInt8 = 8
}

extension Node {
    /// Whether there is a record of the node.
    var isRecorded: Bool { marks.load(ordering: .relaxed) & Marks.recorded != 0 }

    /// Whether anything has observed the node's error.
    var isObserved: Bool { marks.load(ordering: .relaxed) & Marks.observed != 0 }

    /// Sets a mark. Returns false if it was set before.
    func mark(_ mark: UInt8) -> Bool { marks.bitwiseOr(mark, ordering: .relaxed).oldValue & mark == 0 }
}
