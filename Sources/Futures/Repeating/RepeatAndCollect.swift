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

    package func collecting(_ repetition: Repetition<Value>) -> Future<[Value]> {
        stepOfNode(on: repetition.scheduler, repetition.wanted) { node in
            // Made for the first run: a repetition of the whole starts with an empty list.
            let list = Locked<[Value]>([])
            return try repetition.step(node) { result in
                result.map { value in
                    list.withLock { $0.append(value) }
                    return list
                }
            }
        }
        .map(on: .inPlace) { list in list.withLock { $0 } }
    }
}
