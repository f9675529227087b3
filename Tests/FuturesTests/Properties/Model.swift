// Model: the rules of the contract, as simply as possible: one thread, arrays, no links.

/// The rules, and a choice wherever they allow one.
///
/// The choices are exactly those of the design's section "What links may show":
/// 1. A flatMap for which other flatMaps waited, and whose last listener is cancelled, is cancelled; or it stays
///    pending while its inner future has other listeners, and gets the same result.
/// 2. Listeners of different futures have no order: when a future completes, a flatMap that waits for it may complete
///    immediately, and its listeners may be called before, after or between the others. Each future's own are in order.
/// 3. A flatMap that would wait for itself indirectly fails, or waits forever. (The contract guarantees no more.)
final class Model {
    enum Next {
        case outcome(Outcome)
        case future(ModelFuture)
    }

    let choose: (Int) -> Int
    /// Whether a future waits for itself or for one that was made of it: a cycle that only a completion breaks.
    private(set) var hasCycle = false
    private(set) var usesNever = false
    private var all: [ModelFuture] = []
    let loop = ModelLoop()

    init(choose: @escaping (Int) -> Int) { self.choose = choose }

    /// Breaks the reference cycles.
    func clear() {
        for future in all {
            future.listeners = []
            future.forsaken = []
            (future.source, future.inner, future.parts, future.ears) = (nil, nil, [], [])
            (future.transform, future.cancelHandler, future.dispose) = (nil, nil, nil)
            future.letsGo = { false }
        }
    }

    private func make() -> ModelFuture {
        let future = ModelFuture()
        all.append(future)
        return future
    }
}

extension Model {
    func promise() -> ModelFuture { make() }

    /// Returns a future that never completes and cannot be cancelled.
    func never() -> ModelFuture {
        let future = make()
        future.isNever = true
        usesNever = true
        return future
    }

    /// Returns an operation. If it completes before it returns its disposable, it completes when it has returned it.
    func operation(_ body: (ModelFuture) -> (() -> Void)?) -> ModelFuture {
        let future = make()
        future.isStarting = true
        future.dispose = body(future)
        future.isStarting = false
        if let early = future.early { loop.add(settle(future, early)) }
        return future
    }

    func complete(_ future: ModelFuture, _ outcome: Outcome) { loop.serve(completing(future, outcome)) }

    /// Completes the future, and returns the jobs that follow.
    private func completing(_ future: ModelFuture, _ outcome: Outcome) -> [ModelLoop.Job] {
        guard future.isStarting else { return settle(future, outcome) }
        future.early = future.early ?? outcome
        return []
    }

    func step(
        from source: ModelFuture, wants: @escaping (Outcome) -> Bool = { _ in true },
        for parent: ModelFuture? = nil, cancelHandler: (() -> Void)? = nil,
        _ transform: @escaping (Outcome) -> Next
    ) -> ModelFuture {
        let step = make()
        step.source = source
        step.parent = parent
        step.wants = wants
        step.cancelHandler = cancelHandler
        step.transform = transform
        listen(step, to: source)
        return step
    }

    /// Returns a future of the sum, or of the first error, which cancels the others if `cancelNonCompleted`.
    func join(all futures: [ModelFuture], cancelNonCompleted: Bool) -> ModelFuture {
        var missing = futures.count
        var sum = 0
        var lets = true
        return combine(futures, keeps: { !lets }) { outcome, complete in
            guard case .value(let value) = outcome else {
                lets = cancelNonCompleted
                return complete(outcome)
            }
            sum &+= value
            missing -= 1
            if missing == 0 { complete(.value(sum)) }
        }
    }

    func select(_ futures: [ModelFuture]) -> ModelFuture {
        combine(futures, keeps: { false }) { outcome, complete in complete(outcome) }
    }

    private func combine(
        _ futures: [ModelFuture], keeps: @escaping () -> Bool,
        _ hear: @escaping (Outcome, (Outcome) -> Void) -> Void
    ) -> ModelFuture {
        loop.serving {
            operation { future in
                future.parts = futures
                for child in futures {
                    let ear = step(from: child, for: future) { [self] outcome in
                        // One that was cancelled does not decide any more what it cancels.
                        if future.outcome == nil { hear(outcome) { loop.add(completing(future, $0)) } }
                        return .outcome(.value(0))
                    }
                    future.ears.append(ear)
                }
                future.letsGo = keeps
                return nil
            }
        }
    }
}

extension Model {
    private func listen(_ listener: ModelFuture, to future: ModelFuture) {
        guard future.outcome == nil else { return loop.serve([job(listener)]) }
        future.listeners.append(listener)
        if listener.inner != nil && future.inner != nil { future.mayBeLink = true }
        // A forsaken link has a listener again, and so have the links that it follows.
        var current = future
        while current.isForsaken, let inner = current.inner {
            current.isForsaken = false
            inner.forsaken.removeAll { $0 === current }
            inner.listeners.append(current)
            current = inner
        }
    }

    /// The job of a step whose source or inner future has completed.
    private func job(_ step: ModelFuture) -> ModelLoop.Job {
        ModelLoop.Job(self.callsBack(step) ? .callback : .urgent) { [self] in run(step) }
    }

    /// Whether the job of a step calls user code.
    private func callsBack(_ step: ModelFuture) -> Bool {
        // A step with a parent is the listener of a join or select, which calls no user code.
        guard step.outcome == nil, step.inner == nil, step.parent == nil else { return false }
        return step.wants(step.source!.outcome!)
    }

    private func run(_ step: ModelFuture) {
        guard step.outcome == nil else { return }
        if let inner = step.inner { return loop.add(settle(step, inner.outcome!)) }
        let arrived = step.source!.outcome!
        guard step.wants(arrived) else { return loop.add(settle(step, arrived)) }
        step.hasBegun = true
        switch step.transform!(arrived) {
        case .outcome(let outcome): loop.add(settle(step, outcome))
        case .future(let inner): wait(step, for: inner)
        }
    }

    private func wait(_ step: ModelFuture, for inner: ModelFuture) {
        guard inner !== step else { return loop.add(settle(step, .awaitsItself)) }
        guard step.outcome == nil else { return cancel(inner) }
        if waits(inner, for: step) {
            hasCycle = true
            if choose(2) == 1 {
                // It waited for a moment, which may have made `inner` a link: forsaken, if this was its only listener.
                if let next = inner.inner {
                    inner.mayBeLink = true
                    if inner.listeners.isEmpty, !inner.isForsaken, choose(2) == 1 { forsake(inner, following: next) }
                }
                return loop.add(settle(step, .awaitsItself))
            }
        }
        if isMade(inner, of: step) { hasCycle = true }
        step.inner = inner
        guard inner.outcome == nil else { return loop.add([job(step)]) }
        if step.listeners.contains(where: { $0.inner === step }) { step.mayBeLink = true }
        listen(step, to: inner)
    }

    /// Detaches a link without listeners: it gets the result of `inner`, but does not prevent its cancellation.
    func forsake(_ future: ModelFuture, following inner: ModelFuture) {
        inner.listeners.removeAll { $0 === future }
        future.isForsaken = true
        inner.forsaken.append(future)
    }

    private func waits(_ future: ModelFuture, for other: ModelFuture) -> Bool {
        leads(future, to: other) { future in
            guard future.outcome == nil else { return [] }
            return future.parts + [future.inner ?? future.source].compactMap { $0 }
        }
    }

    private func isMade(_ future: ModelFuture, of other: ModelFuture) -> Bool {
        leads(future, to: other) { $0.parts + [$0.inner, $0.source].compactMap { $0 } }
    }

    private func leads(_ future: ModelFuture, to other: ModelFuture, by ways: (ModelFuture) -> [ModelFuture]) -> Bool {
        var seen: Set<ObjectIdentifier> = []
        var next = [future]
        while let future = next.popLast() {
            guard future !== other else { return true }
            if seen.insert(ObjectIdentifier(future)).inserted { next += ways(future) }
        }
        return false
    }

    /// Completes the future once, and returns the jobs of its listeners, behind those of the futures that it cancels.
    private func settle(_ future: ModelFuture, _ outcome: Outcome) -> [ModelLoop.Job] {
        guard future.outcome == nil else { return [] }
        if let dispose = future.dispose.take() {
            // Its outcome is decided, but not visible: listeners that are attached during the disposal have to wait.
            (future.isStarting, future.early) = (true, outcome)
            dispose()
            future.isStarting = false
        }
        let cancelled = leave(future)
        // Visible before the disposal of other futures, which may take long.
        var queues: [[ModelFuture]] = []
        show(future, outcome, &queues)
        return jobs(of: cancelled) + jobs(of: &queues)
    }

    private func jobs(of queues: inout [[ModelFuture]]) -> [ModelLoop.Job] {
        var jobs: [ModelLoop.Job] = []
        while !queues.isEmpty {
            let index = queues.count > 1 ? choose(queues.count) : 0
            jobs.append(job(queues[index].removeFirst()))
            if queues[index].isEmpty { queues.remove(at: index) }
        }
        return jobs
    }

    /// Makes the result visible, also in links that follow `future`. Collects the listeners of each future.
    func show(_ future: ModelFuture, _ outcome: Outcome, _ queues: inout [[ModelFuture]]) {
        future.outcome = outcome
        for link in future.forsaken { show(link, outcome, &queues) }
        future.forsaken = []
        var links: [ModelFuture] = []
        let listeners = future.listeners.filter { listener in
            let isLink =
                listener.outcome == nil && listener.inner === future && listener.mayBeLink && choose(2) == 1
            if isLink { links.append(listener) }
            return !isLink
        }
        future.listeners = []
        if !listeners.isEmpty { queues.append(listeners) }
        for link in links { show(link, outcome, &queues) }
    }
}
