// abort: cancels a future when a signal completes.

extension Future {
    /// Returns a future with the same result, which fails with a `CancellationError` as soon as one of `signals`
    /// succeeds.
    ///
    ///     self:    ------1
    ///     signal:  --()           abort(forFutures: [signal])  --^
    ///
    /// A signal that fails aborts the future too, with the signal's error. This future is then cancelled, unless it has
    /// other listeners. If it has completed already, its result is passed on, whether or not a signal has completed.
    ///
    /// Signals are only observed. One signal may abort many futures. It can still be cancelled, and is not cancelled
    /// when a future completes without being aborted. A repetition runs this future again but not the signals: a signal
    /// that has completed aborts it before its operation starts.
    ///
    /// - Parameter signals: The futures that abort this one. If there are none, the result is passed on.
    public func abort<Signal>(forFutures signals: some Collection<Future<Signal>>) -> Future {
        let signals = signals.map { $0.node }
        return Future(
            node: .accompanied(node, [.limited, .precedes], on: .inPlace) { node, _ in
                let listeners = signals.map { signal in
                    Node.listener(to: signal, for: node, .watcher) { arrival in
                        arrival.parent?.end(with: arrival.child.failure ?? CancellationError())
                    }
                }
                node.keepFromNowOn { for listener in listeners { listener.stopListening() } }
            })
    }
}
