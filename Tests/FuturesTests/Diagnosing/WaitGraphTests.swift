// Graphs of waits: stuck vertices, cycles, drawings.

import Futures
import Testing

@testable import FuturesDiagnostics

@Suite struct WaitGraphTests {
    /// A graph of vertices and those that each waits for; `|`: one is enough; `!`: something outside may complete it.
    private func build(_ lines: [String]) -> WaitGraph {
        var graph = WaitGraph()
        let names = lines.map { String($0.prefix(1)) }
        for line in lines {
            var vertex = WaitGraph.Vertex(title: String(line.prefix(1)))
            vertex.waitsFor = line.dropFirst(2).compactMap { names.firstIndex(of: String($0)) }
            vertex.needsAll = !line.contains("|")
            if line.contains("!") || vertex.waitsFor.isEmpty { vertex.outside = WaitGraph.completion }
            graph.vertices.append(vertex)
        }
        return graph
    }

    private func names(_ graph: WaitGraph, _ indices: some Sequence<Int>) -> String {
        indices.map { graph.vertices[$0].title }.joined()
    }

    /// Finds the same by trying: a vertex completes if what it needs does, until nothing changes.
    private func stuckByTrying(_ graph: WaitGraph) -> Set<Int> {
        var free = Set<Int>()
        while true {
            let more = graph.vertices.indices.filter { index in
                let vertex = graph.vertices[index]
                if free.contains(index) { return false }
                if vertex.outside != nil { return true }
                return vertex.needsAll
                    ? vertex.waitsFor.allSatisfy(free.contains) : vertex.waitsFor.contains(where: free.contains)
            }
            if more.isEmpty { return Set(graph.vertices.indices).subtracting(free) }
            free.formUnion(more)
        }
    }

    @Test func `the stuck vertices are those that no order of completions completes, in random graphs`() {
        var random = SplitMix(UInt64.random(in: 0...(.max)))
        for _ in 0..<500 {
            var graph = WaitGraph()
            let count = Int.random(in: 1...12, using: &random)
            for _ in 0..<count {
                var vertex = WaitGraph.Vertex(title: "v")
                vertex.waitsFor = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    Int.random(in: 0..<count, using: &random)
                }
                vertex.needsAll = Bool.random(using: &random)
                if vertex.waitsFor.isEmpty || Int.random(in: 0..<6, using: &random) == 0 { vertex.outside = "outside" }
                graph.vertices.append(vertex)
            }
            let stuck = graph.stuck
            #expect(stuck == stuckByTrying(graph))
            // Each that is stuck leads to a cycle, whose members are stuck and wait for the next one.
            #expect(stuck.isEmpty == graph.cycles.isEmpty)
            for cycle in graph.cycles {
                for (index, vertex) in cycle.enumerated() {
                    #expect(graph.vertices[vertex].waitsFor.contains(cycle[(index + 1) % cycle.count]))
                    #expect(stuck.contains(vertex))
                }
            }
        }
    }

    @Test func `each cycle is found once, from its first vertex`() {
        let graph = build(["a:b", "b:c", "c:b", "d:d", "e:a"])
        #expect(graph.cycles.map { names(graph, $0) } == ["bc", "d"])
    }

    @Test func `a chain is one line, and what a combination waits for is below it`() {
        #expect(build(["a:b", "b:c", "c:"]).chain(from: 0) == "a ← b ← c, not completed")
        #expect(
            build(["a:bc", "b:", "c:d", "d:"]).chain(from: 0)
                == "a, 2 left\n  b, not completed\n  c ← d, not completed")
        #expect(build(["a:b", "b:a"]).chain(from: 0) == "a ← b ← a again: a cycle")
        #expect(build(["a:b|c", "b:", "c:"]).chain(from: 0).hasPrefix("a, one of 2 left"))
        var some = build(["a:bc", "b:", "c:"])
        some.vertices[0].count = 3
        #expect(some.chain(from: 0).hasPrefix("a, 2 of 3 left\n"))
        // Others of its futures have completed.
        var last = build(["a:b", "b:c", "c:"])
        last.vertices[0].isCombination = true
        last.vertices[0].count = 4
        #expect(last.chain(from: 0) == "a, 1 of 4 left ← b ← c, not completed")
    }

    @Test func `a long chain shows its ends, and a wide combination its first branches`() {
        var long = WaitGraph()
        for index in 0..<1000 {
            var vertex = WaitGraph.Vertex(title: "\(index)")
            if index < 999 { vertex.waitsFor = [index + 1] }
            long.vertices.append(vertex)
        }
        #expect(
            long.chain(from: 0)
                == "0 ← 1 ← 2 ← 3 ← 4 ← 5 ← 6 ← 7 ← 984 more ← 992 ← 993 ← 994 ← 995 ← 996 ← 997 ← 998 ← 999")
        var wide = WaitGraph(vertices: (0..<101).map { WaitGraph.Vertex(title: "\($0)") })
        wide.vertices[0].waitsFor = Array(1...100)
        let lines = wide.chain(from: 0).split(separator: "\n")
        #expect(lines.count == 10 && lines.last == "  92 more")
    }

    @Test func `a chain shows each vertex once, however many ways lead to it`() {
        #expect(
            build(["a:bc", "b:d", "c:d", "d:"]).chain(from: 0)
                == "a, 2 left\n  b ← d, not completed\n  c ← d, shown above")
        // Each of eight needs all eight of the level below: 8^40 ways.
        var layers = WaitGraph()
        for level in 0..<40 {
            for place in 0..<8 {
                var vertex = WaitGraph.Vertex(title: "\(level).\(place)")
                if level < 39 { vertex.waitsFor = (0..<8).map { 8 * (level + 1) + $0 } }
                layers.vertices.append(vertex)
            }
        }
        let lines = layers.chain(from: 0).split(separator: "\n")
        #expect(lines.count == 101 && lines.last == "and more")
    }

    @Test func `a drawing has each vertex and each wait, and cycles are red`() {
        var graph = build(["a:b", "b:a", "c:"])
        graph.vertices[2].name = "say \"hi\""
        #expect(
            graph.dot == """
                digraph futures {
                  node [shape=box, fontname=sans];
                  0 [label="a", color=red];
                  1 [label="b", color=red];
                  2 [label="c \\"say \\"hi\\"\\", waits for a completion"];
                  0 -> 1 [color=red, penwidth=2];
                  1 -> 0 [color=red, penwidth=2];
                }

                """)
        #expect(
            graph.mermaid == """
                flowchart LR
                  0["a"]
                  1["b"]
                  2["c #quot;say #quot;hi#quot;#quot;, waits for a completion"]
                  0 --> 1
                  1 --> 0
                  classDef stuck stroke:#d00,stroke-width:3px
                  class 0,1 stuck

                """)
    }
}
