// Cancelling in the model of futures: which futures a cancel completes, and which it leaves pending.

extension Model {
    func cancel(_ future: ModelFuture) { loop.serve(jobs(of: end(future))) }

    /// Cancels the futures that a completed join or select listens to, and returns them, or stops listening to them.
    func leave(_ future: ModelFuture) -> [ModelFuture] {
        guard future.letsGo() else { return future.ears.flatMap { end($0) } }
        for ear in future.ears { ear.source?.listeners.removeAll { $0 === ear } }
        return []
    }

    /// The jobs that call the disposables and the cancel handlers of these futures.
    func jobs(of cancelled: [ModelFuture]) -> [ModelLoop.Job] {
        var jobs: [ModelLoop.Job] = []
        for future in cancelled {
            if let dispose = future.dispose.take() { jobs.append(.init(.urgent, dispose)) }
            if !future.ears.isEmpty {
                jobs.append(.init(.urgent) { [self] in loop.add(self.jobs(of: leave(future))) })
            }
            if !future.hasBegun, let handler = future.cancelHandler { jobs.append(.init(.callback, handler)) }
        }
        return jobs
    }

    /// Cancels a future without listeners, and so on upstream. Returns the cancelled futures, the source first.
    private func end(_ future: ModelFuture) -> [ModelFuture] {
        var cancelled: [ModelFuture] = []
        var current: ModelFuture? = future
        while let future = current, !future.isNever, future.outcome == nil, future.early == nil,
            future.listeners.isEmpty
        {
            let source = future.inner ?? future.source
            current = source
            if future.isForsaken {
                guard choose(2) == 0 else { break }
                source!.forsaken.removeAll { $0 === future }
                current = nil
            } else if let source {
                // While its inner future is completing, a link gets the result of that.
                let isForsaken =
                    future.mayBeLink && (source.early != nil || isWanted(source, by: future)) && choose(2) == 1
                let isListed = source.listeners.contains { $0 === future }
                source.listeners.removeAll { $0 === future }
                if !isListed { current = nil }
                if isForsaken {
                    forsake(future, following: source)
                    continue
                }
            }
            var nobody: [[ModelFuture]] = []
            show(future, .cancelled, &nobody)
            cancelled.append(future)
        }
        return cancelled.reversed()
    }

    /// Whether `future`, or the inner future at the end of its chain of links, has a listener other than `leaving`.
    private func isWanted(_ future: ModelFuture, by leaving: ModelFuture) -> Bool {
        var future = future
        var leaving = leaving
        while true {
            if future.listeners.contains(where: { $0 !== leaving }) { return true }
            guard future.mayBeLink, let inner = future.inner else { return false }
            (leaving, future) = (future, inner)
        }
    }
}
