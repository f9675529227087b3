// Progress: why a node's operation is called, and how far a run has come.

/// The reason why a node's operation is called.
@usableFromInline
enum NodeEvent {
    /// The source has settled, or the operation's turn to start has come.
    case arrived
    /// The node was attached to its source, which is pending (`Traits.accompanied`).
    case attached
    /// What accompanies the node has ended: its time limit has passed.
    case expired
    /// The node was cancelled, or ended otherwise from outside, before it had begun (`Traits.cancels`). It has settled.
    case cancelled
}

/// How far a run has come. A listener of the library and a step with a timer stay `waiting` while they run.
///
/// An operation that completes before it has returned its disposable:
///
///     starting ── completion is called ──► stored ── operation returns, is disposed ──► settled ──► listeners
///
/// While it is `stored`, it has no result for others, a completion does nothing, and a cancel counts it as unfinished.
// Usable in clients, as `LinkCell` is: otherwise each step calls functions for the initial values of such properties.
@usableFromInline
enum Progress: UInt8 {
    /// Not begun. Next is `starting`, or the end.
    case waiting
    /// The operation is running, or a combination attaches its listeners. Of a step and of an operation in its turn: the
    /// closure is running, or has returned a future. Next is `stored`, `begun`, or the end.
    case starting
    /// The result is stored, but not published before the operation's disposable is disposed. Next is the end.
    case storedValue, storedError
    /// Begun. Next is the end, or `stored` while the node disposes.
    case begun

    /// Whether there is a result that is stored, but not published yet.
    var isStored: Bool { self == .storedValue || self == .storedError }

    static func stored(_ end: UInt) -> Progress { end & Word.success != 0 ? .storedValue : .storedError }
}
