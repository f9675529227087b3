// Fetches: runs that are shared under threads, the time of each call, and results that a call must not get.

import Futures

/// A run for a key, which several calls may share.
final class Fetch: Sendable {
    let key: Int
    let begins: Int
    private let moments: Guarded<(ends: Int?, exists: Int, isHeard: Int?, asked: Int)>

    init(_ key: Int, begins: Int) {
        self.key = key
        self.begins = begins
        moments = Guarded((nil, begins, nil, begins))
    }

    var ends: Int? { moments.with { $0.ends } }
    /// A time at which it already existed, and the time at which a call first got its result.
    var exists: Int { moments.with { $0.exists } }
    var isHeard: Int? { moments.with { $0.isHeard } }
    /// The time of the first call that got its result.
    var asked: Int { moments.with { $0.asked } }

    func end(at moment: Int) { moments.with { if $0.ends == nil { $0.ends = moment } } }

    func hear(_ caller: Caller, at moment: Int) {
        moments.with {
            $0.isHeard = min($0.isHeard ?? .max, moment)
            $0.asked = min($0.asked, caller.asked)
            // A call that got the result has waited since then, so the run existed.
            if let waits = caller.waits { $0.exists = min($0.exists, waits) }
        }
    }
}

/// A call for a key's value.
final class Caller: Sendable {
    let asked: Int
    private let state = Guarded<(waits: Int?, fetch: Fetch?)>((nil, nil))

    init(asked: Int) { self.asked = asked }

    /// The time at which the call had returned its future; nil if that is unknown.
    var waits: Int? {
        get { state.with { $0.waits } }
        set { state.with { $0.waits = newValue } }
    }

    /// The run whose result the call got.
    var fetch: Fetch? {
        get { state.with { $0.fetch } }
        set { state.with { $0.fetch = newValue } }
    }
}

/// A value or an error of a run.
struct Fetched: Error {
    let fetch: Fetch
    let object: Census.Counted
}

/// All runs and calls.
final class Fetches: Sendable {
    private struct Forgetting {
        let key: Int?
        let begins: Int
        let ends: Int
    }

    private struct State {
        var fetches: [Fetch] = []
        var callers: [Caller] = []
        var forgettings: [Forgetting] = []
    }

    private let witness: Witness
    /// Whether results are kept after their run has completed.
    private let keeps: Bool
    private let state = Guarded(State())

    init(_ witness: Witness, keeps: Bool) {
        self.witness = witness
        self.keeps = keeps
    }

    func begin(_ key: Int) -> Fetch {
        let fetch = Fetch(key, begins: witness.now())
        state.with { $0.fetches.append(fetch) }
        return fetch
    }

    func ask() -> Caller {
        let caller = Caller(asked: witness.now())
        state.with { $0.callers.append(caller) }
        return caller
    }

    func forget(_ key: Int?, _ forget: () -> Void) {
        let begins = witness.now()
        forget()
        let forgetting = Forgetting(key: key, begins: begins, ends: witness.now())
        state.with { $0.forgettings.append(forgetting) }
    }

    var areOver: Bool { state.with { $0.fetches }.allSatisfy { $0.ends != nil } }

    func check() {
        let state = state.with { $0 }
        for caller in state.callers {
            guard let fetch = caller.fetch else { continue }
            // The age of a cached value is not visible here: its time starts when the cache receives it.
            if !keeps, fetch.isHeard! < caller.asked {
                witness.complain("a result that existed before the request")
            }
            let isForgotten = state.forgettings.contains {
                ($0.key ?? fetch.key) == fetch.key && $0.begins > fetch.exists && $0.ends < caller.asked
            }
            if isForgotten { witness.complain("a result that was forgotten before the request") }
        }
        checkOverlaps(state)
    }

    /// Checks that no two runs for a key, both of which completed for a caller, overlapped.
    private func checkOverlaps(_ state: State) {
        let shared = state.fetches.filter { $0.isHeard != nil }
        for (index, fetch) in shared.enumerated() {
            for other in shared[..<index] where other.key == fetch.key {
                guard fetch.exists < other.ends!, other.exists < fetch.ends! else { continue }
                let (start, end) = (min(fetch.asked, other.asked), max(fetch.ends!, other.ends!))
                let isForgotten = state.forgettings.contains {
                    ($0.key ?? fetch.key) == fetch.key && $0.ends > start && $0.begins < end
                }
                if !isForgotten { witness.complain("two runs for a key") }
            }
        }
    }
}
