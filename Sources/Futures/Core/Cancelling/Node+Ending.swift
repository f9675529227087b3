// Ending early: disposing what a node keeps when it is cancelled or failed from outside.

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

    /// Returns a job that disposes `local`, which this node kept until it was cancelled or failed.
    func disposing(_ local: consuming any Disposable & AnyObject, as unfinished: Unfinished?) -> Job {
        DisposeJob(local, of: traits, unfinished)
    }
}

/// A job that disposes what a node kept until it settled.
// Safe to share: only the thread that runs or releases the job accesses its properties.
private final class DisposeJob: Job, @unchecked Sendable {
    @exclusivity(unchecked) private var local: (any Disposable & AnyObject)?
    private let traits: Traits
    private let unfinished: Unfinished?

    init(_ local: consuming any Disposable & AnyObject, of traits: Traits, _ unfinished: Unfinished?) {
        self.local = local
        self.traits = traits
        self.unfinished = unfinished?.hold()
        super.init()
    }

    deinit {
        if let local = local.take() { DeferredReleases.here.release(local) }
    }

    // A combination and a timer call no user code themselves. So the releases that they cause
    // may be deferred (`endsJob`). Other disposables may be user code.
    override func run() {
        guard let local else { return }
        ThreadState.here.ending(unfinished) {
            var unfinished = unfinished
            if traits.contains(.combines) {
                ThreadState.here.endsJob()
                ThreadState.here.serveLast(Combination.kept(local).detach(fromOutside: true, as: &unfinished))
            } else if let listeners = local as? DetachListeners {
                ThreadState.here.endsJob()
                ThreadState.here.serveLast(listeners.detach(fromOutside: true, as: &unfinished))
            } else {
                if type(of: local) == DelayedJob.self { ThreadState.here.endsJob() }
                local.dispose()
            }
        }
    }

    override var urgency: Urgency { .urgent }
}
