// Walk: what pending nodes wait for, at any distance, and which of those nodes can never complete.

/// A walk upstream from some nodes: each node that it reaches, and what that node waits for.
///
/// It takes one lock at a time, and other threads continue meanwhile: what it finds may be of different moments.
struct Walk {
    private(set) var nodes: [Node] = []
    /// By the index of a node: the indices of the nodes that it waits for.
    private(set) var waitsFor: [[Int]] = []
    /// By the index of a node: how many of those nodes have to complete first; zero if another event may complete it.
    private(set) var missing: [Int] = []
    /// The nodes that wait for those that have their turns.
    private(set) var waitingForTurn: Set<Int> = []
    /// The nodes that cannot complete for other reasons, and those of which that is a scheduler.
    private(set) var blocked: Set<Int> = []
    private(set) var schedulers: [Int: Scheduler] = [:]
    private(set) var indices: [ObjectIdentifier: Int] = [:]

    /// Visits the nodes upstream of those of `start`, which have the first indices, in time in proportion to their number.
    /// `isBlocked`: whether a node cannot complete, whatever it waits for; `blocks`: whether a scheduler runs nothing more.
    init(
        from start: [Node], isBlocked: (Node) -> Bool = { _ in false },
        blocks: (Scheduler) -> Bool = { _ in false }
    ) {
        for node in start { _ = index(of: node) }
        var next = 0
        while next < nodes.count {
            if isBlocked(nodes[next]) {
                blocked.insert(next)
                missing[next] = .max
            } else if let dependency = nodes[next].dependency {
                read(dependency, of: next, blocks)
            }
            next += 1
        }
    }

    private mutating func index(of node: Node) -> Int {
        let node = node.resolved
        if let known = indices[ObjectIdentifier(node)] { return known }
        indices[ObjectIdentifier(node)] = nodes.count
        nodes.append(node)
        waitsFor.append([])
        missing.append(0)
        return nodes.count - 1
    }

    private mutating func read(_ dependency: Dependency, of index: Int, _ blocks: (Scheduler) -> Bool) {
        switch dependency {
        case .never: missing[index] = .max
        case .turn(let scheduler):
            waitingForTurn.insert(index)
            if let ahead = nodes[index].queued?.turnsAhead() {
                add(ahead.nodes, to: index, needing: ahead.count)
            }
            if let scheduler, blocks(scheduler) { block(index, scheduler) }
        case .children(let children, _, let needsAll):
            add(children, to: index, needing: needsAll ? .max : 1)
        case .limited(let source, let timer):
            add([source], to: index, needing: blocks(timer) ? 1 : 0)
            if blocks(timer) { schedulers[index] = timer }
        case .upstream(let upstream, let scheduler, let isInner):
            if let scheduler, blocks(scheduler) { return block(index, scheduler) }
            // A time limit ends a node that has started.
            let isLimited = isInner && nodes[index].queued?.timerScheduler.map { !blocks($0) } ?? false
            add([upstream], to: index, needing: isLimited ? 0 : 1)
        case .completion(let scheduler): if let scheduler, blocks(scheduler) { block(index, scheduler) }
        }
    }

    private mutating func block(_ index: Int, _ scheduler: Scheduler) {
        schedulers[index] = scheduler
        missing[index] = .max
    }

    private mutating func add(_ others: [Node], to index: Int, needing count: Int) {
        waitsFor[index] = others.map { self.index(of: $0) }
        missing[index] = min(count, others.count)
    }
}

extension Walk {
    /// The nodes that cannot complete, whatever happens outside: those left do not suffice for any of them.
    var stuck: Set<Int> { stuckVertices(waitsFor, missing) }

    /// The shortest way from a node to one of which `isEnd` is true, through nodes of this set. It has at least two
    /// nodes.
    func way(from start: Int, through set: Set<Int>, to isEnd: (Int) -> Bool) -> [Int]? {
        var (previous, next, queue) = ([Int: Int](), 0, [start])
        while next < queue.count {
            for other in waitsFor[queue[next]] where set.contains(other) && previous[other] == nil {
                previous[other] = queue[next]
                if isEnd(other) {
                    var way = [other]
                    repeat { way.append(previous[way.last!]!) } while way.last != start
                    return way.reversed()
                }
                queue.append(other)
            }
            next += 1
        }
        return nil
    }
}

/// The vertices of an AND-OR graph of waits that cannot complete: each needs `missing` of those that it waits for.
///
/// - Complexity: O(*n*), where *n* is the number of vertices and edges.
/// - SeeAlso: Chandy, Misra, Haas, "Distributed Deadlock Detection", 1983.
package func stuckVertices(_ waitsFor: [[Int]], _ missing: [Int]) -> Set<Int> {
    var missing = missing
    var waiting: [[Int]] = Array(repeating: [], count: missing.count)
    for (index, others) in waitsFor.enumerated() { for other in others { waiting[other].append(index) } }
    var free = missing.indices.filter { missing[$0] <= 0 }
    var left = Set(missing.indices).subtracting(free)
    while let next = free.popLast() {
        for index in waiting[next] where left.contains(index) {
            missing[index] -= 1
            if missing[index] == 0 {
                left.remove(index)
                free.append(index)
            }
        }
    }
    return left
}
