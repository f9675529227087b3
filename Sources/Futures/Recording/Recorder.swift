// Recorder: what FuturesDiagnostics is told of futures, and when. The only calls from this library to that one.

/// What is told of futures while `Recording.isOn`; of names, always. `Recording` conforms to it in `FuturesDiagnostics`.
///
/// Each function is called where something happens, so it must not block, and calls no code of users'. A node may be in
/// its deinit (`released`): nothing may retain it longer than the call.
package protocol Recorder: Sendable {
    /// A root is about to start, or an operation to be enqueued.
    static func made(_ node: Node)
    /// A node is about to be attached to its source.
    static func attached(_ node: Node)
    /// A step or an operation is about to wait for the node that its closure has returned.
    static func awaited(_ node: Node)
    /// A root has failed.
    static func failed(_ node: Node)
    /// A node with a record is being deallocated.
    static func released(_ node: Node)

    static func named(_ node: Node, _ name: String)
    static func name(of node: Node) -> String?

    /// A node waits in its line.
    static func enqueued(_ node: Node)
    /// A node has begun. If it is an operation of a line, it has its turn.
    static func begun(_ node: Node)
    /// An operation has given its turn back, which may be told several times, and without a turn.
    static func turnEnded(_ node: Node)

    /// A promise or a completion was released without being called.
    static func abandoned(at origin: FutureError.SourceLocation)
    static func timedOut()
    static func retried()
    static func refused()

    /// A permit was granted to this node, or the calling thread or task waits for it, until the returned object is
    /// disposed.
    static func permit(of node: Node) -> any AnyObject & Disposable
    static func wait(for node: Node, at site: FutureError.SourceLocation) -> any AnyObject & Disposable
    static func wait(for node: Node) -> (any AnyObject & Disposable)?

    /// The operation of a line whose job the calling thread runs.
    static var runningOperation: (any AnyObject & Sendable)? { get }
    /// Calls `body` in the task of such an operation.
    static func run<T: Sendable>(
        _ operation: any AnyObject & Sendable, _ body: @Sendable () async throws -> T
    ) async throws -> T

    /// Runs a job on the scheduler that the thread is executing.
    static func run(_ job: Job)
}

extension Recording {
    /// What is told; nil in a program without `FuturesDiagnostics`.
    static let recorder = Recording.self as Any as? any Recorder.Type

    /// The same while recording is on.
    @inline(__always)
    static var recorderIfOn: (any Recorder.Type)? { isOn ? recorder : nil }
}

extension Node {
    /// Notes that this node's failure, if it is one, is not to be reported as unobserved.
    @inline(__always)
    func noteObserved() { if Recording.isOn { marks.insert(Marks.observed) } }
}
