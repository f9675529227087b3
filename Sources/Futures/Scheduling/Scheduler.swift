// Scheduler: where callbacks run.

public import Dispatch

/// Where callbacks run: a dispatch queue, the main queue, an actor, or right here.
///
///     let imageProcessing = Scheduler(label: "image processing", attributes: .concurrent)
///
///     fetchImage.map(on: imageProcessing) { image in
///         image.scaledAndDecorated()
///     }
///
/// A callback without `on:` runs on the scheduler that was ``current`` where it was attached. No hop is made to the
/// scheduler that one is on already.
public final class Scheduler: Sendable {
    package let backend: any SchedulerBackend
    private let isImmediate: Bool
    /// Whether it is one of the four that live for ever, so that nobody needs to count references to it.
    @usableFromInline let isImmortal: Bool

    package init(backend: any SchedulerBackend, isImmortal: Bool = false) {
        self.backend = backend
        self.isImmortal = isImmortal
        isImmediate = backend is ImmediateBackend
    }

    /// Makes a scheduler of its own: serial, unless `attributes` contain `.concurrent`.
    ///
    /// A serial one without attributes and target hops faster than one around a dispatch queue: between two of them,
    /// the thread of one mostly goes on with the other. With `.initiallyInactive` it runs nothing before
    /// ``activate()``.
    public convenience init(
        label: String, qos: DispatchQoS = .default, attributes: DispatchQueue.Attributes = [],
        target: DispatchQueue? = nil
    ) {
        if attributes.isEmpty, target == nil {
            self.init(backend: SerialBackend(label: label, qos: qos))
        } else {
            let queue = DispatchQueue(label: label, qos: qos, attributes: attributes, target: target)
            self.init(
                backend: DispatchBackend(
                    queue, isSerial: !attributes.contains(.concurrent),
                    isInactive: attributes.contains(.initiallyInactive)))
        }
    }

    /// Makes a scheduler around a queue of yours, which is taken to be serial.
    ///
    /// Callbacks that hop to it keep first-in-first-out order with your own blocks. Schedulers around the same queue
    /// are equal, and a block that you gave to the queue directly is on the scheduler too. (In a block of a concurrent
    /// queue `wait` traps if the future needs that queue, though another thread might have served it.)
    public convenience init(queue: DispatchQueue) {
        self.init(backend: DispatchBackend(queue, isSerial: true))
    }

    /// The main queue, which is also where `@MainActor` code runs.
    public static let main = Scheduler(backend: DispatchBackend(.main, isSerial: true), isImmortal: true)

    /// A serial queue for work that nobody looks at: where callbacks run that were attached outside of any scheduler.
    public static let background = Scheduler(
        backend: SerialBackend(label: "futures.background", qos: .utility), isImmortal: true)

    /// A concurrent queue for work that nobody looks at.
    public static let concurrentBackground = Scheduler(
        backend: DispatchBackend(
            DispatchQueue(label: "futures.background.concurrent", qos: .utility, attributes: .concurrent),
            isSerial: false),
        isImmortal: true)

    /// No hop at all: callbacks run on whatever thread completes the future, and leave its scheduler current.
    public static let immediate = Scheduler(backend: ImmediateBackend(), isImmortal: true)

    /// As `.immediate`, for closures of the library's own: they run in place at any depth, where callbacks have to wait
    /// until another one has returned, as other threads may need what they do. They may lead to callbacks, and do not
    /// call any.
    @usableFromInline static let inPlace = Scheduler(backend: ImmediateBackend(), isImmortal: true)

    /// The scheduler now executing; else `.main` on the main queue; else `.background`.
    public static var current: Scheduler {
        if let scheduler = ThreadState.here.scheduler { return scheduler.takeUnretainedValue() }
        return main.backend.isCurrent ? main : background
    }

    /// Whether the calling code runs on this scheduler, so that reaching it takes no hop; always on `.immediate`.
    public var isCurrent: Bool {
        if isImmediate { return true }
        guard let executing = ThreadState.here.scheduler else { return backend.isCurrent }
        return executing.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
            || executing._withUnsafeGuaranteedRef { $0 == self }
    }
}

extension Scheduler {
    /// Runs `work` later, after what was scheduled before it; at once on `.immediate`.
    public func async(_ work: @escaping @Sendable () -> Void) {
        backend.enqueue(ClosureJob(work), for: self)
    }

    /// Runs `work` once `delay` has passed.
    ///
    /// A negative delay is as short as zero, and one of centuries never passes. Jobs are enqueued in the order of their
    /// deadlines, and of those with the same deadline in the order of the calls. No blocked thread delays that.
    ///
    /// - Returns: A disposable that stops the timer and releases `work` at once. Dropping it does nothing.
    @discardableResult
    public func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
        backend.enqueue(work, after: delay, for: self)
    }

    /// Runs `work` on this scheduler and returns what it returns or throws.
    ///
    /// In place, if the calling thread runs a job of this scheduler already, also further out. In a `perform`, which
    /// gives no exclusive use of the scheduler, `sync` waits for its turn as anywhere else.
    ///
    /// - Precondition: this is no actor's scheduler.
    @discardableResult
    public func sync<T>(
        file: StaticString = #fileID, line: UInt = #line, _ work: () throws -> T
    ) rethrows -> T {
        if isImmediate { return try work() }
        // Also when it is held further out, below another `sync`: waiting for it would be a deadlock.
        if isHeld { return try Self.recordingMain { try ThreadState.here.execute(on: self, work) } }
        if backend.isIsolating, self != .main {
            fatalError(
                "An actor cannot be waited for. Use async(_:), or await the actor's method.", file: file, line: line)
        }
        return try Self.recordingMain {
            try backend.sync(for: self) { try ThreadState.here.execute(on: self, work) }
        }
    }

    /// Starts a scheduler that was made with the attribute `.initiallyInactive`; does nothing on others.
    ///
    /// Jobs that were scheduled before run now. A scheduler that is released while it is inactive leaves nothing behind,
    /// but one for which jobs wait lives on with them.
    public func activate() {
        (backend as? DispatchBackend)?.activate()
    }

    /// Whether the calling thread has exclusive use of this scheduler, as far as it is serial: it runs a job or a `sync`
    /// of it, perhaps further out, or a block that the user gave to its queue. A `perform` does not count.
    var isHeld: Bool { ThreadState.here.holds(self) || backend.isCurrent }

    /// Calls `body`, with `.main` as an executing scheduler if a main-queue block, or the main thread's top level, calls
    /// this without any scheduler: further in, it is to be known that this thread has it.
    private static func recordingMain<T>(_ body: () throws -> T) rethrows -> T {
        let thread = ThreadState.here
        guard thread.isOutside, main.backend.isCurrent else { return try body() }
        return try thread.execute(on: main, body)
    }

    /// Runs `work` here and now, with this scheduler as the current one.
    ///
    /// For code that is on the scheduler's queue already by some other way, or where exclusive use does not matter.
    /// `.immediate` leaves the current scheduler as it is. It gives no exclusive use: in `work`, `assumeIsolated` of an
    /// actor that has this scheduler as its executor traps, unless the calling code is on the scheduler.
    ///
    /// - Precondition: for `.main` and actors' schedulers, the calling code is there already: isolated closures that it
    ///   attaches would run off their actor.
    @discardableResult
    public func perform<T>(
        file: StaticString = #fileID, line: UInt = #line, _ work: () throws -> T
    ) rethrows -> T {
        if isImmediate { return try work() }
        let isHeld = isHeld
        if backend.isIsolating && !isHeld {
            fatalError(
                "perform was called off \(self), whose actor's code it would let run here. Use async or sync.",
                file: file, line: line)
        }
        return try Self.recordingMain { try ThreadState.here.execute(on: self, holding: isHeld, work) }
    }

    /// Runs jobs that were enqueued, as a part of this scheduler.
    ///
    /// It takes over the reference: whoever kept one would keep the result of a step that has passed it on.
    package func run(_ jobs: JobList) {
        if isImmediate { return ThreadState.here.serve(jobs) }
        let thread = ThreadState.here
        thread.execute(on: self) { thread.serve(jobs) }
    }
}

extension Scheduler: Hashable, CustomStringConvertible {
    /// Whether both run on the same queue or actor.
    public static func == (a: Scheduler, b: Scheduler) -> Bool {
        a === b || a.backend.identity == b.backend.identity
    }

    /// Hashes the queue or actor.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(backend.identity)
    }

    /// `Scheduler(image processing)`, with the queue's label.
    public var description: String { "Scheduler(\(backend.description))" }
}
