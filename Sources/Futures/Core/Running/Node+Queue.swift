// Queued nodes: how a node waits for its turn, and gives it back.

/// Where a queued node is, as its queue sees it.
@usableFromInline
enum QueuePosition: UInt8 {
    /// Not enqueued yet, or over.
    case outside
    /// In the line. Next is `running` or `outside`.
    case waiting
    /// It has its turn. Next is `outside`, or `held`.
    case running
    /// It has its turn, which somebody else needs too. Next is `running` or, if it ends first, `outside`.
    case held
}

// A queued node is in no source's list before it begins, so its place in a list serves as its place in the line. Its
// queue is told of it by its operation, which captures that: see `Call`.
//
// The turn of a node that has begun is over once no job of its own has anything to do any more: whoever completes it in
// its job, or finds it settled there, or takes it out of the list of its inner node, says so. That of a node which is
// cancelled before it begins is over at once. The queue sees by `position`, under its own lock, what was over already.

extension Node {
    /// The job of a queued node: `begin` makes the future to go on as, if that is to be done; true if it waits for it.
    @inlinable @discardableResult
    func takeTurn<T: Sendable>(_: T.Type, _ begin: () throws -> Future<T>) -> Bool {
        if let inner {
            finish(as: inner, T.self)
        } else if self.begin() {
            do {
                let future = try begin()
                if goOn(as: future) { return true }
                isOver()
                // Released behind the end of the turn.
                withExtendedLifetime(future) {}
                return false
            } catch {
                finish(error: error)
            }
        }
        isOver()
        return false
    }

    /// The job of a queued node that has its result when its turn is over.
    @inlinable
    func takeTurn<T: Sendable>(producing body: () throws -> T) {
        if begin() { finish(body) }
        isOver()
    }

    /// Goes on as what `future` settles with; false if the node is over.
    @inlinable
    func goOn<T: Sendable>(as future: Future<T>) -> Bool {
        let other = future.node
        defer { withExtendedLifetime(other) {} }
        guard other.isSettled else { return wait(for: other) }
        other.claimed { finish(as: .passUnretained(other), T.self) }
        return false
    }

    /// Calls the operation once more, as a job behind those of the listeners.
    @usableFromInline
    func isOver() {
        ThreadState.here.serveLast(JobList(self))
    }

    /// Fails the node, whoever listens; what it waits for is cancelled, unless others listen to that.
    func giveUp(_ error: any Error) {
        end(with: error) { _, _ in true }
    }

    /// Fails the node if it has not begun.
    func giveUpWaiting(_ error: any Error) {
        end(with: error) { node, _ in !node.hasBegun }
    }

    /// Whether it has begun. To be asked under the lock, or when it has settled.
    var hasBegun: Bool {
        if case .waiting = progress { false } else { true }
    }
}

/// What a queued node keeps for its run, if it has to know why the node was ended before its operation was.
protocol EndedEarly: Disposable {
    /// Called instead of `dispose`, if the node was cancelled or failed from outside.
    func end(with error: any Error)
    /// Called after that, when what was cancelled with the node is over.
    func hasEnded()
}

extension Node {
    /// The job that ends what this node kept, which was cancelled or failed with `error`; and one for when all is over that
    /// was cancelled with it.
    func ending(_ local: any Disposable & AnyObject, with error: any Error) -> (Job, last: Job?) {
        // Only a queue's operation is asked: the cast costs as much as the rest of a cancel.
        guard traits.contains(.queued), let local = local as? any EndedEarly else {
            return (DisposeJob(local, isCombination: traits.contains(.combines)), nil)
        }
        return (ClosureJob(.urgent) { local.end(with: error) }, ClosureJob(.following) { local.hasEnded() })
    }
}

/// Disposes what a node kept, which has ended.
// Safe to share: the one thread that runs or releases it has it.
private final class DisposeJob: Job, @unchecked Sendable {
    @exclusivity(unchecked) private var local: (any Disposable & AnyObject)?
    private let isCombination: Bool

    init(_ local: any Disposable & AnyObject, isCombination: Bool) {
        self.local = local
        self.isCombination = isCombination
        super.init()
    }

    deinit {
        if let local = local.take() { DeferredReleases.here.release(local) }
    }

    // A combination and a timer call no user code, or in loops of their own, so what they release may wait.
    override func run() {
        guard let local else { return }
        if isCombination {
            ThreadState.here.endsJob()
            ThreadState.here.serveLast(unsafeDowncast(local, to: Combination.self).leave())
        } else {
            if type(of: local) == DelayedJob.self { ThreadState.here.endsJob() }
            ThreadState.here.callOut { local.dispose() }
        }
    }

    override var urgency: Urgency { .urgent }
}

extension Node {
    /// The queue in which a waiting node waits.
    // It stands where the result will be, and is none that has to be destroyed. A repetition may be cancelled before it is
    // enqueued, and has its result then: to be written under the lock. (Written over an error, it was released as one.)
    var queue: ObjectIdentifier {
        get { payload.value(as: ObjectIdentifier.self) }
        set {
            guard let listeners = lock() else { return }
            payload.store(newValue)
            unlock(listeners)
        }
    }

    /// Keeps what is to be disposed when the node begins, or ends without; at once, if it has.
    func keepUntilBegun(_ disposable: any Disposable & AnyObject) {
        guard let listeners = lock() else { return disposable.dispose() }
        let hasBegun = hasBegun
        if !hasBegun { keepLocal(disposable) }
        unlock(listeners)
        if hasBegun { disposable.dispose() }
    }

    /// Disposes what was kept, and keeps what is to be disposed when the node ends; at once, if it has.
    func keepFromNowOn(_ disposable: (any Disposable & AnyObject)?) {
        guard let listeners = lock() else {
            disposable?.dispose()
            return
        }
        let old = takeLocal()
        keepLocal(disposable)
        unlock(listeners)
        old?.dispose()
    }
}
