// Fetches: what is shared under threads, who asked for it when, and which result he must not have got.

import Futures

/// A run for a key, which several may share.
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
    /// When it was there already, and when it was heard of first.
    var exists: Int { moments.with { $0.exists } }
    var isHeard: Int? { moments.with { $0.isHeard } }
    /// When the first one asked who got its result.
    var asked: Int { moments.with { $0.asked } }

    func end(at moment: Int) { moments.with { if $0.ends == nil { $0.ends = moment } } }

    func hear(_ caller: Caller, at moment: Int) {
        moments.with {
            $0.isHeard = min($0.isHeard ?? .max, moment)
            $0.asked = min($0.asked, caller.asked)
            // Who heard its result has waited for it from then on, so it was there.
            if let waits = caller.waits { $0.exists = min($0.exists, waits) }
        }
    }
}

/// One who asks.
final class Caller: Sendable {
    let asked: Int
    private let state = Guarded<(waits: Int?, fetch: Fetch?)>((nil, nil))

    init(asked: Int) { self.asked = asked }

    /// When the asking was over; nil if that is not known.
    var waits: Int? {
        get { state.with { $0.waits } }
        set { state.with { $0.waits = newValue } }
    }

    /// What he got the result of.
    var fetch: Fetch? {
        get { state.with { $0.fetch } }
        set { state.with { $0.fetch = newValue } }
    }
}

/// A value, or an error.
struct Fetched: Error {
    let fetch: Fetch
    let object: Census.Counted
}

/// All that was asked for.
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
    /// How long a result is kept; nil if none is.
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
            // How old a kept value may be is not seen from here: its time begins when the cache hears of it.
            if !keeps, fetch.isHeard! < caller.asked {
                witness.complain("a result that was there before somebody asked")
            }
            let isForgotten = state.forgettings.contains {
                ($0.key ?? fetch.key) == fetch.key && $0.begins > fetch.exists && $0.ends < caller.asked
            }
            if isForgotten { witness.complain("a result that was forgotten before somebody asked") }
        }
        checkOverlaps(state)
    }

    /// Looks whether no two runs for a key, of which each was waited for to its end, were there at the same time.
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
