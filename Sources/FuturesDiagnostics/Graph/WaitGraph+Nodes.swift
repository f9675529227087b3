// Building the graph of waits from the nodes that are pending.

import Futures

extension WaitGraph {
    /// The graph of all nodes that are recorded and pending, the oldest first.
    ///
    /// - Parameter countsDeepQueues: Whether operations far back in a queue are counted only, if nothing waits for them.
    static func ofAll(countsDeepQueues: Bool) -> WaitGraph {
        let known = Node.allRecorded.map { (node: $0, created: $0.record?.created) }
        // By their numbers, as each move of a reference counts.
        let now = ContinuousClock.now
        let sorted = known.indices.sorted { (known[$0].created ?? now) < (known[$1].created ?? now) }
        return WaitGraph(
            of: sorted.map { known[$0].node }, ActivityRecord.all, countsDeepQueues: countsDeepQueues, now: now)
    }

    /// The graph of these nodes and of all that they wait for, at any distance, with these calls of `wait`.
    ///
    /// - Complexity: O(*n*) in the number of nodes.
    init(
        of nodes: [Node], _ activities: [ActivityRecord] = [], countsDeepQueues: Bool = false,
        now: ContinuousClock.Instant = .now
    ) {
        var builder = Builder(now: now)
        builder.permits = Dictionary(grouping: activities.compactMap { $0 as? PermitRecord }, by: \.queue)
        var farBack: [Node] = []
        for node in nodes where node.isPending {
            if countsDeepQueues, let operation = node.operationState, operation.isWaiting, operation.place == nil {
                farBack.append(node)
            } else {
                _ = builder.index(of: node)
            }
        }
        for case let wait as ThreadWait in activities { builder.add(wait) }
        builder.readAll()
        self = builder.graph
        countedOnly = farBack.count { !builder.knows($0) }
    }

    private struct Builder {
        private let now: ContinuousClock.Instant
        /// The permits of each queue.
        var permits: [ObjectIdentifier: [PermitRecord]] = [:]
        private let running = RunningJob.all
        private(set) var graph = WaitGraph()
        private var indices: [ObjectIdentifier: Int] = [:]
        private var queues: [ObjectIdentifier: Int] = [:]
        /// Kept, so that an identity stays that of one node. What those wait for that come later is not read yet.
        private var nodes: [Node] = []

        init(now: ContinuousClock.Instant) { self.now = now }

        /// The vertex of a node; nil if that has a result.
        mutating func index(of node: Node) -> Int? {
            let node = node.resolved
            if let known = indices[ObjectIdentifier(node)] { return known }
            guard node.isPending else { return nil }
            let index = graph.vertices.count
            indices[ObjectIdentifier(node)] = index
            nodes.append(node)
            // It is read later, once.
            graph.vertices.append(Vertex(title: ""))
            return index
        }

        func knows(_ node: Node) -> Bool { indices[ObjectIdentifier(node)] != nil }

        mutating func add(_ wait: ThreadWait) {
            guard let node = wait.future, let vertex = index(of: node) else { return }
            graph.waits.append(Wait(site: "\(wait.site)", age: wait.started.duration(to: now), vertex: vertex))
        }

        /// Reads what each node waits for, which may add nodes.
        mutating func readAll() {
            var next = 0
            while next < nodes.count {
                read(nodes[next], next)
                next += 1
            }
        }

        private mutating func read(_ node: Node, _ index: Int) {
            let (record, operation) = (node.record, node.operationState)
            graph.vertices[index] = node.vertex(record, operation, now)
            if let operation { graph.vertices[index].queue = queue(of: operation) }
            add(edgesTo: record?.awaited.compactMap(\.reference.node) ?? [], from: index)
            // Its tasks and threads wait for those, and it for its tasks and threads.
            guard graph.vertices[index].waitsFor.isEmpty else {
                // It may cancel a child task, and end without what that awaits.
                if record?.awaitsInChildren == true { graph.vertices[index].outside = "its child tasks" }
                return
            }
            if operation == nil, let job = running.last(where: { $0.node === node }),
                let scheduler = job.scheduler
            {
                // Its own callback is what occupies the scheduler.
                graph.vertices[index].detail =
                    "running on \(scheduler) for \(Text.duration(job.started.duration(to: now)))"
                return
            }
            // A node may become a link meanwhile.
            switch node.dependency ?? node.resolved.dependency {
            case .children(let children, let count, let needsAll):
                add(children.map(\.listenedTo), of: count, needsAll, index)
            case .limited(let source, let timer):
                add([source], of: 1, false, index)
                if !timer.isInPlace { graph.vertices[index].outside = "a timer on \(timer)" }
            case .upstream(let upstream, let scheduler, _):
                let upstream = upstream.listenedTo
                if upstream.traits.contains(.never) {
                    graph.vertices[index].isNever = true
                } else if upstream.isPending {
                    add([upstream], of: 1, true, index)
                } else {
                    read(node, waitingFor: scheduler, index)
                }
            case .turn(let scheduler):
                if let operation, !operation.isRunning {
                    readTurn(of: operation, index)
                } else {
                    graph.vertices[index].outside =
                        scheduler.map { "a callback on \(occupied($0))" } ?? "its turn"
                }
            case .completion(let scheduler): read(node, waitingFor: scheduler, index)
            case .never: graph.vertices[index].isNever = true
            case nil: graph.vertices[index].outside = "a callback"
            }
        }

        private mutating func add(_ others: [Node], of count: Int, _ needsAll: Bool, _ index: Int) {
            graph.vertices[index].count = count
            graph.vertices[index].needsAll = needsAll
            add(edgesTo: others, from: index)
            if graph.vertices[index].waitsFor.isEmpty { graph.vertices[index].outside = "a callback" }
        }

        /// Reads a node that no other one keeps from completing.
        private mutating func read(_ node: Node, waitingFor scheduler: Scheduler?, _ index: Int) {
            graph.vertices[index].outside =
                switch scheduler {
                case nil: node.awaitsCall ? WaitGraph.call : WaitGraph.completion
                case let scheduler? where node.traits.contains(.later): "its timer or task on \(described(scheduler))"
                case let scheduler?: "a callback on \(occupied(scheduler))"
                }
        }

        /// A scheduler, and what it runs: the innermost of nested callbacks.
        private func described(_ scheduler: Scheduler) -> String {
            "\(scheduler)" + (job(on: scheduler).map { ", which has \(words(of: $0))" } ?? "")
        }

        private func job(on scheduler: Scheduler) -> RunningJob? { running.last { $0.scheduler == scheduler } }

        private func words(of job: RunningJob) -> String {
            "run \(job.words(at: now)) for \(Text.duration(job.started.duration(to: now)))"
        }

        /// The same for the scheduler of a callback that waits. If it is serial and runs another one, that is noted.
        private mutating func occupied(_ scheduler: Scheduler) -> String {
            if let job = job(on: scheduler), job.isBlocking {
                if let index = graph.busy.firstIndex(where: { $0.address == job.address }) {
                    graph.busy[index].waitingCount += 1
                } else {
                    graph.busy.append(
                        BusyScheduler(
                            address: job.address, words: "\(scheduler): has \(words(of: job))", waitingCount: 1))
                }
            }
            return described(scheduler)
        }

        private mutating func add(edgesTo others: [Node], from index: Int) {
            for other in others {
                if let to = self.index(of: other) { graph.vertices[index].waitsFor.append(to) }
            }
        }

        /// What an operation waits for that has no turn yet.
        private mutating func readTurn(of operation: OperationState, _ index: Int) {
            // Any of those that run may end first.
            graph.vertices[index].needsAll = operation.awaitsEmptiness
            add(edgesTo: operation.ahead, from: index)
            if operation.isWaitLimited {
                graph.vertices[index].outside = "its time limit"
            } else if !operation.waitsForTurnsOnly {
                graph.vertices[index].outside = "its turn"
            } else if operation.aheadCount > operation.ahead.count {
                let permits = graph.queues[queue(of: operation)].permits
                graph.vertices[index].outside =
                    permits.isEmpty ? "turns that no listed operation has" : permits.joined(separator: " and ")
            }
        }

        private mutating func queue(of operation: OperationState) -> Int {
            if let known = queues[operation.queue] { return known }
            let index = graph.queues.count
            queues[operation.queue] = index
            graph.queues.append(
                Queue(
                    name: operation.name.long, runningCount: operation.counts.running,
                    waitingCount: operation.counts.waiting, permits: permitsInWords(of: operation)))
            return index
        }

        /// Where and when permits of the queue were granted, and how many more there are.
        private func permitsInWords(of operation: OperationState) -> [String] {
            let permits = permits[operation.queue] ?? []
            let first = permits.prefix(OperationState.shownWaiting).map {
                "a permit granted at \($0.site), \(Text.duration($0.started.duration(to: now))) ago"
            }
            return first + (permits.count > first.count ? ["\(permits.count - first.count) more permits"] : [])
        }
    }
}
