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
    public func hedged(after delay: Duration) -> Future { hedged(after: delay, on: .current) }

    /// ``hedged(after:)`` by the clock of `scheduler`.
    package func hedged(after delay: Duration, on scheduler: Scheduler) -> Future {
        Future(
            node: .combined([node]) { node, children in
                let first = Future(node: children[0])
                // The runs that have begun and have no result yet.
                let running = Locked(1)
                func listen(to run: Future) -> Node {
                    Node.listener(to: run.node, for: node) { arrival in
                        let isLast = running.withLock { running in
                            running -= 1
                            return running == 0
                        }
                        guard arrival.child.isSuccess || isLast else { return }
                        arrival.parent?.settleFromOutside(copying: arrival.child)
                    }
                }
                let listener = listen(to: first)
                guard !first.isCompleted else { return [listener] }
                // The second run starts where a delay has passed: on the scheduler, or here without a delay.
                let second: Future = Future<Void>().delay(by: delay, on: scheduler)
                    .step(on: delay > .zero ? scheduler : .inPlace, .values) { _ in
                        running.withLock { $0 += 1 }
                        return .future(first.rerun())
                    }
                return [listener, listen(to: second)]
            })
    }
}
