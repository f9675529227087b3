// repeatAndCollect: runs a future again and again, and keeps all its values.

extension Future {
    /// A future of the values of this future and of so many repetitions of it, in the order of the runs.
    ///
    /// Each repetition runs the whole chain afresh, `delayBetweenRepetitions` after the value. The first error ends it,
    /// and the values before are let go of.
    ///
    /// - Precondition: `maxRepetitions` is not negative.
    public func repeatAndCollect(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future<[Value]> {
        collecting(
            Repetition(on: .current, .values, maxRepetitions, file: file, line: line) { _, _ in .again(after: delay) })
    }

    /// A future of the values of this future and of its repetitions, which go on while `predicate` returns true for
    /// the value; that for which it does not is the last one.
    ///
    ///     page(after: cursor).repeatAndCollect { page in page.hasNext }
    ///
    /// A predicate that throws ends it as one that returns false does.
    public func repeatAndCollect(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Bool
    ) -> Future<[Value]> {
        let (scheduler, predicate) = place(predicate)
        return repeatAndCollect(
            on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions, file: file,
            line: line, when: predicate)
    }

    /// The same, with `predicate` called on `scheduler`.
    public func repeatAndCollect(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when predicate: @escaping @Sendable (Value) throws -> Bool
    ) -> Future<[Value]> {
        collecting(
            Repetition(on: scheduler, .values, maxRepetitions, file: file, line: line) { result, _ in
                try predicate(result.get()) ? .again(after: delay) : .stop
            })
    }

    /// A future of the values of this future and of its repetitions, which go on while the future that `predicate`
    /// returns is true.
    ///
    /// A predicate that throws or fails ends it as one that is false does.
    public func repeatAndCollect(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Future<Bool>
    ) -> Future<[Value]> {
        let (scheduler, predicate) = place(predicate)
        return repeatAndCollect(
            on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions, file: file,
            line: line, when: predicate)
    }

    /// The same, with `predicate` called on `scheduler`.
    public func repeatAndCollect(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when predicate: @escaping @Sendable (Value) throws -> Future<Bool>
    ) -> Future<[Value]> {
        collecting(
            Repetition(on: scheduler, .values, maxRepetitions, file: file, line: line) { result, _ in
                .ask(try predicate(result.get()), after: delay)
            })
    }

    private func collecting(_ repetition: Repetition<Value>) -> Future<[Value]> {
        collecting(repetition, .init(), into: nil).map(on: .inPlace) { list in list.withLock { $0 } }
    }

    /// The first run makes the list, and the others add to it: so a repetition of the whole collects afresh.
    private func collecting(
        _ repetition: Repetition<Value>, _ past: Repetition<Value>.Past, into list: Locked<[Value]>?
    ) -> Future<Locked<[Value]>> {
        stepOfNode(on: repetition.scheduler, repetition.wanted) { node in
            let result = node.arrived.result(as: Value.self)
            let value = try result.get()
            let list = list ?? Locked([])
            list.withLock { $0.append(value) }
            let run = node.source!.takeUnretainedValue()
            switch repetition.course(after: result, past) {
            case .stop: return .value(list)
            case .fail(let error): return .error(error)
            case .again(let past):
                return .future(Future(node: run.rerun()).collecting(repetition, past, into: list))
            case .later(let wait, let past):
                return repetition.later(wait, run, else: .success(list)) {
                    $0.collecting(repetition, past, into: list)
                }
            }
        }
    }
}
