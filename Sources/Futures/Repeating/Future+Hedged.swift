// hedged: a second run when the first one is late.

extension Future {
    /// A future of the first value of this future or of a second run of it, which begins when the first one has no
    /// result after `delay`.
    ///
    ///     first:   ---------1
    ///     second:      (2s)---2        hedged(after: .seconds(2))  -------2
    ///
    /// The other run is then cancelled, if nobody else listens to it. A failure before the second run has begun is
    /// passed on, as the future is not late then; afterwards the other run may still succeed, and if it does not, the
    /// error that came last is passed on. Without a delay, both run from the beginning. The time is the current
    /// scheduler's.
    ///
    /// Use it for what may run twice, and not for what is late because there is too much to do.
    public func hedged(after delay: Duration) -> Future {
        hedged(after: delay, on: .current)
    }

    /// The same, with the time of `scheduler`, where the second run is begun.
    public func hedged(after delay: Duration, on scheduler: Scheduler) -> Future {
        Future(node: .hedged(self, after: delay, on: scheduler))
    }
}

extension Node {
    /// A node that has the result of `first`, or of a repetition of it that begins when that is late.
    static func hedged<T>(_ first: Future<T>, after delay: Duration, on scheduler: Scheduler) -> Node {
        combined([first.node], counting: 2, needing: .allOfThem) { node, children in
            let first = Future<T>(node: children[0])
            let hedge = Locked(Hedge())
            func listen(to run: Future<T>) -> Node {
                Node.listener(to: run.node, for: node) { arrival in
                    let isSuccess = arrival.child.isSuccess
                    guard let node = arrival.parent, hedge.withLock({ $0.decides(isSuccess: isSuccess) }) else {
                        return
                    }
                    node.complete(arrival.child.settledResult(as: T.self))
                }
            }
            let listener = listen(to: first)
            guard !hedge.withLock({ $0.isDecided }) else { return Leaving([listener]) }
            let second: Future<T> = Future<Void>().delay(by: delay, on: scheduler).step(on: .inPlace, .values) { _ in
                hedge.withLock { $0.hasBegunAgain = true }
                return .future(Future<T>(node: first.node.rerun()))
            }
            return Leaving([listener, listen(to: second)])
        }
    }
}

/// A pure state machine: which end of a run decides.
private struct Hedge {
    var hasBegunAgain = false
    private(set) var isDecided = false
    private var hasFailed = false

    /// Whether a run's end is the result: a value, or the failure of the last run that there is.
    mutating func decides(isSuccess: Bool) -> Bool {
        guard !isDecided else { return false }
        let isLast = hasFailed || !hasBegunAgain
        isDecided = isSuccess || isLast
        hasFailed = !isDecided
        return isDecided
    }
}
