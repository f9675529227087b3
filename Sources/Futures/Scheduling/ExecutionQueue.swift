// ExecutionQueue: an event loop, a run loop or a thread pool of yours that becomes a scheduler.

/// Something that runs closures: an event loop, a run loop, a thread or a thread pool.
///
/// Conform to it to create a ``Scheduler`` from a mechanism that the library does not know:
///
///     struct EventLoopQueue: ExecutionQueue {
///         let loop: any EventLoop
///
///         var identifyingObject: AnyObject { loop }
///         var label: String { "event loop" }
///         var isSerial: Bool { true }
///         var isCurrent: Bool { loop.inEventLoop }
///
///         func async(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
///     }
///
///     let scheduler = Scheduler(queue: EventLoopQueue(loop: loop))
///
/// Call `expectConforms` of `FuturesTesting` in a test: it checks everything that is required here.
///
/// The library's timers measure the delays of such a scheduler. In a simulation, the scheduler is simulated as any
/// other, and the queue is not used.
public protocol ExecutionQueue: Sendable {
    /// The object whose identity is that of the queue: schedulers whose queues have the same object are equal, and a
    /// callback hops between them without need only if they have not. It must always be the same object, and live as
    /// long as the queue. By default, the queue itself, if it is an object.
    var identifyingObject: AnyObject { get }

    /// The name of the queue in messages and descriptions.
    var label: String { get }

    /// Whether the queue runs closures one at a time, in the order of the calls of ``async(_:)``. If it is false, the
    /// callbacks of one future may overlap, too. If it is true, an actor can run on the scheduler.
    var isSerial: Bool { get }

    /// Whether the calling code runs in a closure of the queue, also in one that the library did not enqueue.
    ///
    /// If the queue cannot tell, return false: callbacks then hop from code that the queue runs by itself, and fewer
    /// deadlocks are found.
    var isCurrent: Bool { get }

    /// Enqueues a closure, which the queue calls once, after this has returned.
    ///
    /// Any thread may call this, also in a closure of the queue, and the thread of the library's timers. So it must
    /// return without waiting for closures that were enqueued before, and must not trap. The queue releases the closure
    /// when it has called it.
    ///
    /// A queue that was shut down may release closures without calling them. They are then called on a serial queue of
    /// the library's, so that no future stays pending forever. A serial queue releases none while it calls another one:
    /// both could be code of the same actor.
    func async(_ work: @escaping @Sendable () -> Void)
}

extension ExecutionQueue where Self: AnyObject {
    /// The queue itself.
    public var identifyingObject: AnyObject { self }
}

extension Scheduler {
    /// Creates a scheduler that runs callbacks on a queue of yours.
    ///
    /// Code of the queue that the library did not enqueue has another ``current`` scheduler: call
    /// ``perform(file:line:_:)`` at its beginning, if callbacks that it attaches have to run on the queue. A
    /// ``sync(file:line:_:)`` runs its closure on the queue's thread, and not on the calling one. When the last
    /// scheduler is released, the queue is released on another thread.
    public convenience init(queue: some ExecutionQueue) {
        self.init(backend: ExecutionQueueBackend(queue))
    }
}
