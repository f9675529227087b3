// Ending early: disposing what a node keeps when it is cancelled or failed from outside.

/// What a queued node keeps for its run, if that has to be told the error with which the node was cancelled or failed
/// from outside, before its operation has completed.
protocol EndedEarly: Disposable {
    /// Called instead of `dispose` if the node was cancelled or failed from outside.
    func end(with error: any Error)
}

extension Node {
    /// Fails the node, even if it has listeners. Cancels the nodes upstream that have no other listeners.
    @usableFromInline
    func giveUp(_ error: any Error) {
        end(with: error, isEarly: true, if: .always)
    }

    /// Settles the node with `value`, even if it has listeners. Cancels the nodes upstream that have no other
    /// listeners.
    @usableFromInline
    func giveUp(succeedingWith value: some Sendable) {
        end(with: Self.cancellation, settling: { $0.payload.store(value) }, isEarly: true, if: .always)
    }

    /// Disposes what the node has kept. Keeps `disposable` instead, to be disposed when the node settles; disposes it
    /// immediately if the node has a result, published or only stored: then the node keeps nothing any more.
    func keepFromNowOn(_ disposable: (any Disposable & AnyObject)?) {
        guard let listeners = lockToSettleFromOutside() else {
            disposable?.dispose()
            return
        }
        let old = takeLocal()
        keepLocal(disposable)
        unlock(listeners)
        old?.dispose()
    }

    /// Returns a job that disposes `local`, which this node kept until it was cancelled or failed with `error`.
    func ending(_ local: consuming any Disposable & AnyObject, with error: any Error, holding turns: HeldTurns?) -> Job
    {
        // Only a queued operation is asked, because the cast costs as much as the rest of a cancel.
        guard traits.contains(.queued), let local = local as? any EndedEarly else {
            return DisposeJob(local, isCombination: traits.contains(.combines), turns)
        }
        turns?.hold()
        return ClosureJob(.urgent) { ThreadState.here.holding(turns) { local.end(with: error) } }
    }
}

/// A job that disposes what a node kept until it settled.
// Safe to share: only the thread that runs or releases the job accesses its properties.
private final class DisposeJob: Job, @unchecked Sendable {
    @exclusivity(unchecked) private var local: (any Disposable & AnyObject)?
    private let isCombination: Bool
    private let held: HeldTurns?

    init(_ local: consuming any Disposable & AnyObject, isCombination: Bool, _ held: HeldTurns?) {
        self.local = local
        self.isCombination = isCombination
        self.held = held
        super.init()
        held?.hold()
    }

    deinit {
        if let local = local.take() { DeferredReleases.here.release(local) }
    }

    // A combination and a timer call no user code, or call it in loops of their own. So the releases that they cause
    // may be deferred (`endsJob`). Other disposables may be user code.
    override func run() {
        guard let local else { return }
        ThreadState.here.holding(held) {
            if isCombination {
                ThreadState.here.endsJob()
                ThreadState.here.serveLast(Combination.kept(local).detach(fromOutside: true))
            } else {
                if type(of: local) == DelayedJob.self { ThreadState.here.endsJob() }
                ThreadState.here.callOut { local.dispose() }
            }
        }
    }

    override var urgency: Urgency { .urgent }
}
