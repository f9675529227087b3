// Fetches: runs that are shared under threads, the time of each call, and results that a call must not get.

import Futures

/// A run for a key, which several calls may share.
final class Fetch: Sendable {
    let key: Int
    let begins: Int
    /// When it ended, when a call first got its result, and the time of the first call that did.
    private let times = Shared<(ends: Int?, isHeard: Int?, asked: Int)>((nil, nil, .max))

    init(_ key: Int, begins: Int) {
        self.key = key
        self.begins = begins
    }

    var moments: (ends: Int?, isHeard: Int?, asked: Int) { times.value }

    func end(at moment: Int) { times.change { if $0.ends == nil { $0.ends = moment } } }

    func hear(_ asked: Int, at moment: Int) {
        times.change { $0 = ($0.ends, min($0.isHeard ?? .max, moment), min($0.asked, asked)) }
    }
}

struct Fetched: Error {
    let fetch: Fetch
    let object: Census.Counted
}

final class Fetches: Sendable {
    private struct State {
        var fetches: [Fetch] = []
        var calls: [(asked: Int, fetch: Fetch)] = []
        var forgettings: [(key: Int?, begins: Int, ends: Int)] = []

        func isForgotten(_ key: Int, after start: Int, before end: Int, wholly: Bool) -> Bool {
            forgettings.contains {
                ($0.key ?? key) == key && (wholly ? $0.begins : $0.ends) > start && (wholly ? $0.ends : $0.begins) < end
            }
        }
    }

    private let witness: Witness
    /// Whether results are kept after their run has completed.
    private let keeps: Bool
    private let state = Shared(State())

    init(_ witness: Witness, keeps: Bool) {
        self.witness = witness
        self.keeps = keeps
    }

    func begin(_ key: Int) -> Fetch {
        let fetch = Fetch(key, begins: witness.now())
        state.change { $0.fetches.append(fetch) }
        return fetch
    }

    /// A call that was made at the time `asked` has got a result.
    func hear(_ fetch: Fetch, asked: Int) {
        fetch.hear(asked, at: witness.now())
        state.change { $0.calls.append((asked, fetch)) }
    }

    func forget(_ key: Int?, _ forget: () -> Void) {
        let begins = witness.now()
        forget()
        state.change { $0.forgettings.append((key, begins, witness.now())) }
    }

    var areOver: Bool { state.change { $0.fetches }.allSatisfy { $0.moments.ends != nil } }

    func check() {
        let state = state.value
        for (asked, fetch) in state.calls {
            // The age of a cached value is not visible here: its time starts when the cache receives it.
            if !keeps, fetch.moments.isHeard! < asked { witness.complain("a result that existed before the request") }
            if state.isForgotten(fetch.key, after: fetch.begins, before: asked, wholly: true) {
                witness.complain("a result that was forgotten before the request")
            }
        }
        // No two runs for a key, both of which completed for a caller, overlapped.
        let shared = state.fetches.filter { $0.moments.isHeard != nil }
        for (index, fetch) in shared.enumerated() {
            for other in shared[..<index] where other.key == fetch.key {
                let (a, b) = (fetch.moments, other.moments)
                guard fetch.begins < b.ends!, other.begins < a.ends! else { continue }
                let (start, end) = (min(a.asked, b.asked), max(a.ends!, b.ends!))
                if !state.isForgotten(fetch.key, after: start, before: end, wholly: false) {
                    witness.complain("two runs for a key")
                }
            }
        }
    }
}
