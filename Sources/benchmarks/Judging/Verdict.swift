// Verdict: whether a target was met.

/// A judgment on whether one measurement of a row meets its target.
struct Verdict: Sendable, Equatable {
    enum State: Sendable { case met, missed, doubtful }

    /// The quantity that is judged.
    enum Aspect: Sendable, CaseIterable { case ratio, mallocs, held, left, flatness }

    let aspect: Aspect
    let state: State
    /// The measurement and the limit, such as `1.71 times CB, not 1.60`.
    let text: String
}

extension Verdict {
    /// Returns the verdict on a ratio: missed if three quarters of the rounds exceed the limit, met if three quarters
    /// do not, and otherwise doubtful.
    static func of(_ samples: Samples, _ limit: Double, _ aspect: Aspect, _ what: String) -> Verdict {
        let (median, quartiles) = (samples.median.decimals(2), samples.quartiles)
        if quartiles.lowerBound > limit {
            return Verdict(aspect: aspect, state: .missed, text: "\(median) \(what), not \(limit.decimals(2))")
        }
        let state = quartiles.upperBound > limit ? State.doubtful : .met
        let noise = (samples.spread * 100).decimals(0)
        return Verdict(
            aspect: aspect, state: state,
            text: "\(median) \(what), give or take \(noise) %, where \(limit.decimals(2)) is the target")
    }

    /// Combines the verdicts of several attempts: met if most of them are, missed if all of them are, and otherwise
    /// doubtful.
    ///
    /// Noise makes a row miss occasionally, but not three times in a row. A row that is too slow misses every time.
    static func combined(_ attempts: [Verdict]) -> Verdict {
        let last = attempts[attempts.count - 1]
        let met = attempts.filter { $0.state == .met }
        if 2 * met.count > attempts.count { return met[met.count - 1] }
        if attempts.allSatisfy({ $0.state == .missed }) { return last }
        let texts = attempts.map(\.text).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return Verdict(aspect: last.aspect, state: .doubtful, text: texts.joined(separator: "; then "))
    }
}
