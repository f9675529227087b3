// ChainText: one chain as text, each vertex once, however many ways lead to it.

/// Writes what a vertex waits for: steps on one line, branches on lines of their own.
///
/// It keeps a list of what it has still to write instead of calling itself, because chains nest to any depth, and a
/// report may be made on a thread with a small stack.
struct ChainText {
    private enum Task {
        case vertex(Int, depth: Int)
        case line(String, depth: Int)
        /// Its branches are written: later ways to it are no cycles.
        case leave([Int])
    }

    private let graph: WaitGraph
    private let known: Set<Int>
    private var tasks: [Task] = []
    private var lines: [String] = []
    /// The vertices that have been written.
    private var shown: Set<Int> = []
    /// The vertices between the start and the one that is being written.
    private var path: Set<Int> = []

    /// At most this many steps of a chain are shown at its beginning, and as many at its end.
    private static let shownSteps = 8
    /// At most this many branches of a vertex are shown.
    private static let shownBranches = 8
    /// At most this many lines are shown, and this many levels of them.
    private static let shownLines = 100
    private static let shownLevels = 40

    /// - Parameter known: Vertices at which it ends, as they are shown elsewhere.
    init(_ graph: WaitGraph, until known: Set<Int>) {
        self.graph = graph
        self.known = known
    }

    /// Returns the chain from a vertex.
    ///
    /// - Complexity: O(*n*) in the number of vertices and edges.
    mutating func text(from start: Int) -> String {
        tasks = [.vertex(start, depth: 0)]
        while let task = tasks.popLast() {
            switch task {
            case .vertex(let vertex, let depth): write(vertex, depth)
            case .line(let text, let depth): add(text, depth)
            case .leave(let steps): path.subtract(steps)
            }
            if lines.count >= Self.shownLines, !tasks.isEmpty {
                lines.append("and more")
                break
            }
        }
        return lines.joined(separator: "\n")
    }

    private mutating func add(_ text: String, _ depth: Int) {
        lines.append(String(repeating: "  ", count: depth) + text)
    }

    private mutating func write(_ start: Int, _ depth: Int) {
        guard shown.insert(start).inserted else { return add("\(graph.vertices[start].text), shown above", depth) }
        var steps = [start]
        // The step that is shown already, if the chain leads to one.
        var repeated: Int?
        while !known.contains(steps.last!), case let next = graph.vertices[steps.last!].waitsFor, next.count == 1 {
            guard shown.insert(next[0]).inserted else {
                repeated = next[0]
                break
            }
            steps.append(next[0])
        }
        path.formUnion(steps)
        let last = graph.vertices[steps.last!]
        var line = words(steps)
        tasks.append(.leave(steps))
        defer { add(line, depth) }
        if known.contains(steps.last!) { return line += ", in a deadlock above" }
        if let end = last.end { line += ", \(end)" }
        if let repeated {
            let text = graph.vertices[repeated].text
            return line += path.contains(repeated) ? " ← \(text) again: a cycle" : " ← \(text), shown above"
        }
        guard last.waitsFor.count > 1 else { return }
        if let back = last.waitsFor.first(where: path.contains) {
            line += " ← \(graph.vertices[back].text) again: a cycle"
        }
        line += ", \(last.left)"
        addBranches(last.waitsFor.filter { !path.contains($0) }, depth + 1)
    }

    private mutating func addBranches(_ branches: [Int], _ depth: Int) {
        guard depth < Self.shownLevels else { return }
        let rest = branches.count - Self.shownBranches
        if rest > 0 { tasks.append(.line("\(rest) more", depth: depth)) }
        for branch in branches.prefix(Self.shownBranches).reversed() { tasks.append(.vertex(branch, depth: depth)) }
    }

    private func words(_ steps: [Int]) -> String {
        let limit = Self.shownSteps
        var words = steps.prefix(limit).map { graph.vertices[$0].step }
        if steps.count > 2 * limit { words.append("\(steps.count - 2 * limit) more") }
        words += steps.dropFirst(max(limit, steps.count - limit)).map { graph.vertices[$0].step }
        return words.joined(separator: " ← ")
    }
}

extension WaitGraph.Vertex {
    /// Its text in a line of steps. A combination says that others have completed.
    var step: String { isCombination && waitsFor.count == 1 ? "\(text), \(left)" : text }

    /// How many of the futures that it waits for have not completed, as in `1 of 4 left`.
    fileprivate var left: String {
        let number = count > waitsFor.count ? "\(waitsFor.count) of \(count)" : "\(waitsFor.count)"
        return waitsFor.count == 1 || needsAll ? "\(number) left" : "one of \(number) left"
    }

    /// What it waits for outside of the graph.
    fileprivate var end: String? {
        if isNever { return "which never completes" }
        guard let outside else { return nil }
        let time = age.map { " for \(Text.duration($0))" } ?? ""
        return switch outside {
        case WaitGraph.completion: "not completed\(time)"
        case WaitGraph.call: "whose operation has returned, but whose completion was not called\(time)"
        default: "waiting for \(outside)"
        }
    }
}
