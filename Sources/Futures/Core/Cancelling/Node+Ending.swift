// Ending early: disposing what a node keeps when it is cancelled or failed from outside.

extension Node {
    /// Fails the node, even if it has listeners. Cancels the nodes upstream that have no other listeners.
    @usableFromInline
    func giveUp(_ error: any Error) {
        end(with: error, if: .always)
    }

    /// Disposes what the node has kept. Keeps `disposable` instead, to be disposed when the node settles; disposes it
    /// immediately if the node has a result, published or only stored: then the node keeps nothing any more.
    ///
    /// `isForWait`: whether `disposable` is not needed once the node has begun. It is disposed immediately then, too.
    func keepFromNowOn(_ disposable: (any Disposable & AnyObject)?, isForWait: Bool = false) {
        var unneeded = disposable
        if let listeners = lockToSettleFromOutside() {
            if !isForWait || progress == .waiting {
                unneeded = takeLocal()
                keepLocal(disposable)
            }
            unlock(listeners)
        }
        unneeded?.dispose()
    }

    /// Returns a job that disposes `local`, which this node kept until it was cancelled or failed, as part of
    /// `unfinished`.
    func disposing(_ local: any Disposable & AnyObject, as unfinished: Unfinished?) -> Job {
        unfinished?.hold()
        return ClosureJob(.urgent) { [traits] in
            let thread = ThreadState.here
            thread.ending(unfinished) {
                var unfinished = unfinished
                // Neither a combination nor a timer calls user code by itself, so the releases that it causes may be
                // deferred (`endsJob`). Other disposables may be user code.
                if traits.contains(.combines) {
                    thread.endsJob()
                    thread.serveLast(Combination.kept(local).detach(settledWithValue: nil, as: &unfinished))
                } else {
                    if type(of: local) == DelayedJob.self { thread.endsJob() }
                    local.dispose()
                }
            }
        }
    }
}
