// repeatAndCollect: repeats a future, and collects the values of all runs.

extension Future {
    /// Returns a future of the values of this future and of its repetitions, which continue as long as `predicate`
    /// returns true for the value.
    ///
    ///     page(after: cursor).repeatAndCollect { page in page.hasNext }
    ///
    /// The first error fails the future, and discards the values of the runs before. If `predicate` throws, that value
    /// is the last one. The other parameters are those of the other repetitions: see
    /// ``onErrorRepeat(delayBetweenRepetitions:maxRepetitions:file:line:when:)``.
    public func repeatAndCollect(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Bool
    ) -> Future<[Value]> {
        let (scheduler, isRepeated) = (Scheduler.inferred(from: predicate.isolation), Body(.isolated(predicate)).call)
        return collecting(
            Repetition(on: scheduler, .values, maxRepetitions, file: file, line: line) { result, _ in
                try isRepeated(result.get()) ? .again(after: delay) : .stop
            })
    }

    /// Returns a future of the values of this future and of its repetitions, which continue as long as the future of
    /// `predicate` succeeds with true: see ``onErrorRepeat(when:)``.
    @_disfavoredOverload
    public func repeatAndCollect(
        @_inheritActorContext when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Future<Bool>
    ) -> Future<[Value]> {
        let (scheduler, isRepeated) = (
            Scheduler.inferred(from: predicate.isolation), Following(.isolated(predicate)).call
        )
        return collecting(
            Repetition(on: scheduler, .values, nil) { result, _ in .ask(try isRepeated(result.get()), after: nil) })
    }

    func collecting(_ repetition: Repetition<Value>) -> Future<[Value]> {
        stepOfNode(on: repetition.scheduler, repetition.wanted) {
            try repetition.collect($0, after: .init(), into: nil)
        }
        .map(on: .inPlace) { list in list.withLock { $0 } }
    }
}

extension Repetition {
    /// Adds the value of the run to which `node` listens to `list`, and returns the next action. The first run creates
    /// the list: a repetition of the whole starts with an empty one.
    fileprivate func collect(
        _ node: Node, after past: RunHistory, into list: Locked<[Value]>?
    ) throws -> Next<Locked<[Value]>> {
        let result = node.arrived.result(as: Value.self)
        let value = try result.get()
        let list = list ?? Locked([])
        list.withLock { $0.append(value) }
        let run = Future<Value>(sourceOf: node)
        switch nextStep(after: result, past) {
        case .stop: return .value(list)
        case .again(let past):
            // The predicate is user code: the chain may have been cancelled meanwhile.
            guard !node.hasSettled else { return .error(CancellationError()) }
            return .future(again(run.rerun(), past, into: list))
        case .later(let wait, let past):
            return later(wait, run, else: .success(list)) { again($0, past, into: list) }
        }
    }

    private func again(
        _ run: Future<Value>, _ past: RunHistory, into list: Locked<[Value]>
    ) -> Future<Locked<[Value]>> {
        run.nextStepOfNode(on: scheduler, wanted) { try collect($0, after: past, into: list) }
    }
}
