// WaitGraph: which futures wait for which, as a value without futures.

import Futures

/// The graph of waits at one time: vertices that wait for others, or for an event outside the graph.
///
/// Other threads continue while it is built, so parts of it may be of different moments. A wait that lasts is in it.
struct WaitGraph: Sendable {
    struct Vertex: Sendable {
        /// What it is: `map`, `join`, `enqueue on "ledger"`.
        var title: String
        /// The name that the user's code gave it.
        var name: String?
        /// Where it was made: `at App/Fetch.swift:12`, or `in App.Fetcher.refresh` if the line is not known.
        var site: String?
        /// The queue that it is enqueued on, in words, if a place is the name of that: said behind its own place.
        var queueWords: String?
        /// More about it, in words: its place in a queue, since when it runs.
        var detail: String?
        /// How long ago it was made.
        var age: Duration?
        /// What it waits for beside the vertices of `waitsFor`, in words; nil if there is nothing else.
        var outside: String?
        /// Whether it waits for `Future.never`.
        var isNever = false
        /// The vertices that it waits for.
        var waitsFor: [Int] = []
        /// Whether it needs all of them, and not one of them.
        var needsAll = true
        /// Whether it may wait for several, so that their number says something even if one is left.
        var isCombination = false
        /// Of how many futures those are what is left.
        var count = 0
        /// Whether it is an operation that a queue has or lists: shown with its queue.
        var queue: Int?
        var isRunning = false
        /// Its place if it is one of the first operations that wait in its lane, counted from 1.
        var place: Int?
    }

    /// A queue, lock or pool with operations that wait or run.
    struct Queue: Sendable {
        var name: String
        var runningCount: Int
        var waitingCount: Int
        /// The permits that are recorded and were not released, in words.
        var permits: [String] = []
    }

    /// A call of `wait()` in progress.
    struct Wait: Sendable {
        var site: String
        var age: Duration
        /// The future that it waits for.
        var vertex: Int
    }

    /// A serial scheduler on which callbacks wait behind one that runs.
    struct BusyScheduler: Sendable {
        /// The identity of the callback that runs.
        var address: UInt
        /// The scheduler, and what it runs.
        var words: String
        /// The number of callbacks of futures that wait for it.
        var waitingCount: Int
    }

    /// What a vertex waits for that code outside of the library has to complete.
    static let completion = "a completion"
    /// What a vertex waits for whose operation has returned.
    static let call = "a call of its completion"

    var vertices: [Vertex] = []
    var queues: [Queue] = []
    var waits: [Wait] = []
    var busy: [BusyScheduler] = []
    /// How many operations far back in their queues are no vertices, as nothing waits for them.
    var countedOnly = 0

    /// The vertices that nothing in the graph waits for: the ends of chains.
    var ends: [Int] {
        let awaited = Set(vertices.flatMap(\.waitsFor))
        return vertices.indices.filter { !awaited.contains($0) }
    }
}

extension WaitGraph {
    /// The vertices that can never complete, because of cycles: whatever happens outside, each waits for others of
    /// them.
    ///
    /// A vertex can complete if an event outside may complete it; if it needs one of several vertices, and one can; or
    /// if it needs all of several, and all can.
    /// - Complexity: O(*n*), where *n* is the number of vertices and edges.
    var stuck: Set<Int> { stuckVertices { _ in false } }

    /// Those, and the vertices that wait for `Future.never`: only a cancel can complete them.
    var hopeless: Set<Int> { stuckVertices(\.isNever) }

    /// The vertices that cannot complete if those of which `isHopeless` is true cannot.
    private func stuckVertices(_ isHopeless: (Vertex) -> Bool) -> Set<Int> {
        let missing = vertices.map { vertex in
            if isHopeless(vertex) { return Int.max }
            return vertex.waitsFor.isEmpty || vertex.outside != nil ? 0 : vertex.needsAll ? vertex.waitsFor.count : 1
        }
        return Futures.stuckVertices(vertices.map(\.waitsFor), missing)
    }

    /// The cycles among the vertices that can never complete, each once, from its smallest vertex.
    var cycles: [[Int]] {
        let stuck = stuck
        var (found, seen) = ([[Int]](), Set<Int>())
        for start in stuck.sorted() where !seen.contains(start) {
            var (path, places) = ([Int](), [Int: Int]())
            var vertex: Int? = start
            while let here = vertex, !seen.contains(here) || places[here] != nil {
                if let place = places[here] {
                    found.append(Self.rotated(Array(path[place...])))
                    break
                }
                places[here] = path.count
                path.append(here)
                seen.insert(here)
                vertex = vertices[here].waitsFor.first(where: stuck.contains)
            }
        }
        return found
    }

    private static func rotated(_ cycle: [Int]) -> [Int] {
        let start = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
        return Array(cycle[start...] + cycle[..<start])
    }
}
