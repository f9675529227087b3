// Scheduler: where callbacks run.

public import Dispatch

/// The place where callbacks run: a dispatch queue, the main queue, an actor, or the completing thread.
///
///     let imageProcessing = Scheduler(label: "image processing", attributes: .concurrent)
///
///     fetchImage.map(on: imageProcessing) { image in
///         image.scaledAndDecorated()
///     }
///
/// A callback attached without `on:` runs on the actor that its closure is isolated to, or else on the scheduler that
/// was ``current`` when it was attached. Code that runs on a scheduler already calls a callback for it without a hop.
public final class Scheduler: Sendable {
    /// What is behind this scheduler, unless the calling thread runs a simulation.
    let realBackend: any SchedulerBackend
    // Constants of the backend. To ask it would copy and retain it, at each hop.
    let identity: ObjectIdentifier
    /// Whether closures that the compiler considers isolated run here. Code that runs elsewhere must then not pretend
    /// to be here.
    package let isIsolating: Bool
    /// Whether its clock is that of a test.
    package let hasOwnClock: Bool
    /// Whether it runs everything in place, and has no queue.
    package let isImmediate: Bool
    /// Whether this scheduler exists for the lifetime of the process, so that references to it need not be counted.
    @usableFromInline let isImmortal: Bool
    /// Whether it is `inPlace`.
    package let isInPlace: Bool

    package init(backend: any SchedulerBackend, isImmortal: Bool = false, isInPlace: Bool = false) {
        realBackend = backend
        (identity, hasOwnClock) = (backend.identity, backend.hasOwnClock)
        isIsolating = (backend as? DispatchBackend)?.isMain ?? (backend is ActorBackend)
        (self.isImmortal, self.isInPlace) = (isImmortal, isInPlace)
        isImmediate = backend is ImmediateBackend
    }

    /// Creates a scheduler with a queue of its own, which is serial unless `attributes` contain `.concurrent`.
    /// `.initiallyInactive` has no effect.
    ///
    /// A serial scheduler without attributes and target hops faster than one that wraps a dispatch queue: a hop between
    /// two of them with the same `qos` mostly continues on the same thread.
    public convenience init(
        label: String, qos: DispatchQoS = .default, attributes: DispatchQueue.Attributes = [],
        target: DispatchQueue? = nil
    ) {
        let attributes = attributes.subtracting(.initiallyInactive)
        if attributes.isEmpty, target == nil {
            self.init(backend: SerialBackend(label: label, qos: qos))
        } else {
            let queue = DispatchQueue(label: label, qos: qos, attributes: attributes, target: target)
            self.init(backend: DispatchBackend(queue, isSerial: !attributes.contains(.concurrent)))
        }
    }

    /// Creates a scheduler that wraps a dispatch queue, which is assumed to be serial.
    ///
    /// Callbacks that hop to it and blocks that you submit to the queue run in the order in which they were submitted.
    /// Schedulers that wrap the same queue are equal, and a block that you submit to the queue counts as running on the
    /// scheduler.
    public convenience init(queue: DispatchQueue) {
        self.init(backend: DispatchBackend(queue, isSerial: true))
    }

    /// The scheduler of the main queue, on which `@MainActor` code runs.
    public static let main = Scheduler(
        backend: DispatchBackend(.main, isSerial: true, isMain: true), isImmortal: true)

    /// A concurrent scheduler for background work, on which callbacks run that are attached outside of any scheduler.
    public static let background = Scheduler(
        backend: DispatchBackend(
            DispatchQueue(label: "futures.background", qos: .utility, attributes: .concurrent), isSerial: false),
        isImmortal: true)

    /// A scheduler that never hops: callbacks run on whatever thread completes the future, without changing
    /// ``current``.
    public static let immediate = Scheduler(backend: ImmediateBackend(), isImmortal: true)

    /// Like `.immediate`, but for the library's own closures, which run at once, also in a callback, because other
    /// threads may need what they do. They may cause callbacks to be called, but do not call any themselves.
    @usableFromInline static let inPlace = Scheduler(
        backend: ImmediateBackend(), isImmortal: true, isInPlace: true)

    /// The scheduler that the calling code runs on. Outside of any scheduler, it is `.main` on the main queue, and
    /// `.background` elsewhere.
    public static var current: Scheduler {
        if let scheduler = ThreadState.here.scheduler { return scheduler.takeUnretainedValue() }
        return main.isBackendCurrent ? main : background
    }

    /// Returns the scheduler of the actor that a closure is isolated to, or the current scheduler if there is none.
    @usableFromInline
    static func inferred(from isolation: (any Actor)?) -> Scheduler {
        // Reading through an optional chain crashed the compiler (6.3.1).
        guard let isolation else { return .current }
        return isolation === MainActor.shared ? .main : ActorBackend.scheduler(of: isolation)
    }

    /// Whether the calling code runs on this scheduler, so that no hop is needed. Always true for `.immediate`.
    public var isCurrent: Bool {
        if isImmediate { return true }
        guard let executing = ThreadState.here.scheduler else { return isBackendCurrent }
        return executing._withUnsafeGuaranteedRef { $0 === self || $0 == self }
    }

    /// The current time on the clock that measures this scheduler's delays and deadlines.
    ///
    /// It is `ContinuousClock.now`, or the virtual time of a scheduler of virtual time. Compute deadlines from it, so
    /// that they also work in tests that control the time. If the machine sleeps, a delay may take longer by the time
    /// of sleep.
    public var now: ContinuousClock.Instant { withBackend { $0.now } }

    /// Enqueues `work`, which runs after all work enqueued before. On `.immediate` it runs before this returns; in a
    /// callback, right behind that callback.
    ///
    /// On a concurrent scheduler, work starts in that order but may overlap. Only callbacks of the same future do not:
    /// those that are enqueued there are called one after the other, in the order in which they were attached.
    public func async(_ work: @escaping @Sendable () -> Void) {
        enqueue(ClosureJob(.callback, work))
    }

    /// Enqueues `work` when `delay` has passed.
    ///
    /// Work is enqueued in the order of the deadlines and, for the same deadline, in the order of the calls. Threads
    /// that are blocked do not delay this, unless it is 255 serial queues of the quality `.userInteractive` on Linux.
    /// On `.immediate` the work runs on ``background``. A negative delay is treated as zero; one that exceeds what the
    /// clock can count never ends.
    ///
    /// - Returns: A disposable that stops the timer and releases `work` immediately. Releasing the disposable does not
    ///   stop the timer.
    @discardableResult
    public func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
        withBackend { $0.enqueue(Carried.captured(in: work), after: delay, for: self) }
    }

    /// Runs `work` on this scheduler and returns its result, blocking the calling thread until then.
    ///
    /// If the calling thread runs a job or another `sync` of this scheduler already, `work` runs in place. Two serial
    /// schedulers that `sync` to each other deadlock. So does `main.sync` in a `sync` of a wrapped dispatch queue that
    /// a block of the main queue calls, as in Dispatch.
    ///
    /// - Precondition: This is not the scheduler of an actor other than the main actor, unless the calling code runs on
    ///   it.
    @discardableResult
    public func sync<T>(
        file: StaticString = #fileID, line: UInt = #line, _ work: () throws -> T
    ) rethrows -> T {
        if isImmediate { return try work() }
        // Also if an outer `sync` holds it: waiting for it would deadlock.
        if isHeld { return try ThreadState.here.execute(on: self, work) }
        if isIsolating, self != .main {
            fatalError(
                "sync cannot wait for an actor. Use async(_:), or await the actor's method.", file: file, line: line)
        }
        return try waiting(work)
    }

    /// Calls `work` when it has exclusive use of the queue.
    private func waiting<T, Failure>(_ work: () throws(Failure) -> T) throws(Failure) -> T {
        // In a deinit at the end of a job, which has enqueued the successor's.
        ThreadState.here.storage.pointee.successor.take()?.post()
        var result: Result<T, Failure>?
        backend.sync(for: self) {
            ThreadState.here.execute(on: self) {
                do throws(Failure) { result = .success(try work()) } catch { result = .failure(error) }
            }
        }
        return try result!.get()
    }

    /// Whether the calling thread has exclusive use of this scheduler, if it is serial: it runs a job or a `sync` of
    /// it, perhaps further out, or a block that the user submitted to its queue. A `perform` does not count.
    package var isHeld: Bool {
        ThreadState.here.firstScheduler { $1 && $0 == self } != nil || isBackendCurrent
    }

    /// Runs `work` in place, with this scheduler as the current one.
    ///
    /// Use it in code that some other mechanism runs on the scheduler's queue, or where exclusive use does not matter:
    /// this gives none. On `.immediate`, the current scheduler does not change.
    ///
    /// - Precondition: For `.main` and actors' schedulers, the calling code runs there already. Otherwise isolated
    ///   closures that `work` attaches could run outside of their actor.
    @discardableResult
    public func perform<T>(
        file: StaticString = #fileID, line: UInt = #line, _ work: () throws -> T
    ) rethrows -> T {
        if isImmediate { return try work() }
        let isHeld = isHeld
        if isIsolating && !isHeld {
            fatalError(
                "perform was called off \(self): code isolated to its actor could run here. Use async or sync.",
                file: file, line: line)
        }
        return try ThreadState.here.execute(on: self, holding: isHeld, work)
    }

    /// Runs jobs that were enqueued, with this scheduler as the current one.
    // A list: a reference to a job would retain the result of a step that has passed it on.
    package func run(_ jobs: JobList) {
        if isImmediate { return ThreadState.here.serve(jobs) }
        let thread = ThreadState.here
        thread.execute(on: self, runningJobs: true) { thread.serve(jobs) }
    }
}

extension Scheduler: Hashable, CustomStringConvertible {
    /// Returns whether both schedulers run callbacks on the same queue or actor.
    public static func == (a: Scheduler, b: Scheduler) -> Bool { a === b || a.identity == b.identity }

    /// Hashes the identity of the queue or actor.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    /// The scheduler's label or actor, as in `Scheduler(image processing)`.
    public var description: String { "Scheduler(\(realBackend.description))" }
}
