// Report: everything that is pending, in words: deadlocks first, then queues, then chains by what they wait for.

import Futures

/// What `Diagnostics.report()` shows.
struct Report {
    private let graph: WaitGraph
    private let cycles: [[Int]]
    /// The vertices of deadlocks, which are shown first.
    private let deadlocked: Set<Int>
    /// The operations of each queue.
    private let operations: [Int: [Int]]
    /// The chains, those that differ only in their ages together, the oldest first.
    private let groups: [Group]

    /// At most this many queues are shown, this many groups of chains, and this many operations of a queue.
    private static let shownQueues = 40
    private static let shownGroups = 40
    private static let shownOperations = OperationState.shownWaiting

    /// Chains that are made by the same code.
    private struct Group {
        let signature: String
        /// The end of the first one, and what that waits for last.
        let end: Int
        let last: Int
        var count = 0
        /// Whether all of them wait for the same future.
        var isSame = true
    }

    init(_ graph: WaitGraph) {
        self.graph = graph
        groups = Self.groups(of: graph)
        cycles = graph.cycles
        deadlocked = Set(cycles.flatMap { $0 })
        operations = Dictionary(grouping: graph.vertices.indices.filter { graph.vertices[$0].queue != nil }) {
            graph.vertices[$0].queue!
        }
    }

    /// The whole report, with a newline at its end.
    ///
    /// - Parameter previous: What the report before this one has counted.
    func text(since previous: ReportedCounts?) -> String {
        guard !graph.vertices.isEmpty else { return "Futures: nothing is pending.\n" }
        let parts = [headline] + cycles.map(deadlock) + busy + waits + queues + chains(since: previous)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var headline: String {
        let count = graph.vertices.count + graph.countedOnly
        let oldest = graph.vertices.compactMap(\.age).max().map { ", the oldest for \(Text.duration($0))" } ?? ""
        let deadlocks = cycles.isEmpty ? "" : " \(cycles.count) deadlock\(cycles.count == 1 ? "" : "s")."
        return "Futures: \(count) pending\(oldest).\(deadlocks)"
    }

    private func deadlock(_ cycle: [Int]) -> String {
        let lines = cycle.map { "  \(graph.vertices[$0].step)" }
        return "DEADLOCK: each of these waits for the next one, and the last one for the first.\n"
            + lines.joined(separator: "\n")
    }

    private var busy: [String] {
        guard !graph.busy.isEmpty else { return [] }
        let lines = graph.busy.map {
            "  \($0.words), and \($0.waitingCount) callback\($0.waitingCount == 1 ? " waits" : "s wait")"
        }
        return [(["Schedulers that are busy:"] + lines).joined(separator: "\n")]
    }

    private var waits: [String] {
        guard !graph.waits.isEmpty else { return [] }
        let lines = graph.waits.map {
            indented(
                "wait() at \($0.site) for \(Text.duration($0.age)): \(graph.chain(from: $0.vertex, until: deadlocked))")
        }
        return [(["Threads that wait:"] + lines).joined(separator: "\n")]
    }

    private var queues: [String] {
        let rest = graph.queues.count - Self.shownQueues
        return graph.queues.indices.prefix(Self.shownQueues).map(queue) + (rest > 0 ? ["\(rest) more queues"] : [])
    }

    private func queue(_ index: Int) -> String {
        let queue = graph.queues[index]
        let own = operations[index] ?? []
        let running = own.filter { graph.vertices[$0].isRunning }
        let waiting = own.filter { graph.vertices[$0].place != nil }
            .sorted { graph.vertices[$0].place! < graph.vertices[$1].place! }
        var lines = ["\(queue.name): \(queue.runningCount) running, \(queue.waitingCount) waiting"]
        lines += queue.permits.map { "  running: \($0)" }
        let shown = Self.shownOperations
        lines += running.prefix(shown).map { indented(graph.chain(from: $0, until: deadlocked)) }
        if running.count > shown { lines.append("  \(running.count - shown) more running") }
        lines += waiting.prefix(shown).map { "  \(graph.vertices[$0].text)" }
        let rest = queue.waitingCount - min(waiting.count, shown)
        if rest > 0 { lines.append("  \(rest) more waiting") }
        return lines.joined(separator: "\n")
    }

    private func chains(since previous: ReportedCounts?) -> [String] {
        guard !groups.isEmpty else { return [] }
        let shown = groups.prefix(Self.shownGroups).map { group in
            indented(
                number(of: group, since: previous) + graph.chain(from: group.end, until: deadlocked)
                    + (group.count > 1 && group.isSame && group.last != group.end
                        && graph.vertices[group.last].waitsFor.isEmpty
                        ? "; all of them wait for this one" : ""))
        }
        let rest = groups.count > shown.count ? ["  \(groups.count - shown.count) more"] : []
        return [(["Chains, the oldest first:"] + shown + rest).joined(separator: "\n")]
    }

    /// How many chains a group has, and how many more than in the report before.
    private func number(of group: Group, since previous: ReportedCounts?) -> String {
        guard group.count > 1 else { return "" }
        guard let previous, case let more = group.count - previous.count(group.signature), more > 0 else {
            return "\(group.count) × "
        }
        return "\(group.count) (\(more) more than \(Text.duration(previous.age(at: .now))) ago) × "
    }

    /// What this report counts, for the next one.
    var counts: ReportedCounts {
        ReportedCounts(groups.map { ($0.signature, $0.count) })
    }

    private static func groups(of graph: WaitGraph) -> [Group] {
        var (groups, indices) = ([Group](), [String: Int]())
        let waited = Set(graph.waits.map(\.vertex))
        for end in graph.ends where graph.vertices[end].queue == nil && !waited.contains(end) {
            let (signature, last) = graph.signature(of: end)
            let index = indices[signature] ?? groups.count
            if index == groups.count {
                indices[signature] = index
                groups.append(Group(signature: signature, end: end, last: last))
            }
            groups[index].count += 1
            if groups[index].last != last { groups[index].isSame = false }
        }
        return groups
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}

extension WaitGraph {
    /// What chains have in common that are made by the same code: the titles and places of up to 32 steps. Also returns
    /// the last of these steps.
    fileprivate func signature(of end: Int) -> (signature: String, last: Int) {
        var (words, here) = ([String](), end)
        for _ in 0..<32 {
            let vertex = vertices[here]
            words += [
                vertex.title, vertex.site ?? "", vertex.queueWords ?? "", vertex.name ?? "", vertex.outside ?? "",
            ]
            guard vertex.waitsFor.count == 1 else {
                words.append("\(vertex.waitsFor.count)")
                break
            }
            here = vertex.waitsFor[0]
        }
        return (words.joined(separator: "\u{1}"), here)
    }
}
