// Ending early: what disposes the local of a node that was cancelled or failed from outside.

/// What a queued node keeps for its run, if it has to know why the node was ended before its operation was.
protocol EndedEarly: Disposable {
    /// Called instead of `dispose`, if the node was cancelled or failed from outside.
    func end(with error: any Error)
    /// Called after that, when what was cancelled with the node is over.
    func hasEnded()
}

extension Node {
    /// Fails the node, whoever listens; what it waits for is cancelled, unless others listen to that.
    func giveUp(_ error: any Error) {
        end(with: error) { _, _ in true }
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

    /// The job that ends what this node kept, which was cancelled or failed with `error`; and one for when all is over
    /// that was cancelled with it.
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
