// hedged: starts a second run when the first one is late, and takes the first value.

extension Future {
    /// Returns a future of the first value of this future or of a second run of it, which starts if this one has no
    /// result after `delay`.
    ///
    ///     first:   ---------1
    ///     second:      (2s)---2        hedged(after: .seconds(2))  -------2
    ///
    /// When one run succeeds, the other one is cancelled, unless it has other listeners. A failure before the second
    /// run has started is passed on: the first run is not late then. Once both run, one of them may fail; if both do,
    /// the later error is passed on. Use it only for operations that may run twice, and not against overload, which it
    /// increases.
    ///
    /// - Parameter delay: How long the first run may take, by the clock of the current scheduler, where the second run
    ///   is started. If it is not positive, both run immediately.
    public func hedged(after delay: Duration) -> Future {
        Future(node: .hedged(self, after: delay, on: .current))
    }
}

extension Node {
    /// Returns a node with the result of `first`, or of a repetition of it that starts after `delay`.
    static func hedged<T>(_ first: Future<T>, after delay: Duration, on scheduler: Scheduler) -> Node {
        combined([first.node], counting: 2) { node, children in
            let first = Future<T>(node: children[0])
            let hedge = Locked(Hedge())
            func listen(to run: Future<T>) -> Node {
                Node.listener(to: run.node, for: node) { arrival in
                    let isSuccess = arrival.isSuccess
                    guard let node = arrival.parent, hedge.withLock({ $0.decides(isSuccess: isSuccess) }) else {
                        return
                    }
                    node.settleFromOutside(as: arrival.child)
                }
            }
            let listener = listen(to: first)
            guard !hedge.withLock({ $0.isDecided }) else { return DetachListeners([listener]) }
            // The second run starts where a delay has passed: on the scheduler, or here without a delay.
            let place = delay > .zero ? scheduler : .inPlace
            let second: Future<T> = Future<Void>().delay(by: delay, on: scheduler).step(on: place, .values) { _ in
                hedge.withLock { $0.hasBegunAgain = true }
                return .future(first.rerun())
            }
            return DetachListeners([listener, listen(to: second)])
        }
    }
}

/// Decides which run's completion is the result. A pure state machine.
private struct Hedge {
    var hasBegunAgain = false
    private(set) var isDecided = false
    private var hasFailed = false

    /// Whether the completion of a run is the result: a success is; a failure is, if it is that of the only run or of
    /// the second one to fail.
    mutating func decides(isSuccess: Bool) -> Bool {
        guard !isDecided else { return false }
        let isLast = hasFailed || !hasBegunAgain
        isDecided = isSuccess || isLast
        hasFailed = !isDecided
        return isDecided
    }
}
