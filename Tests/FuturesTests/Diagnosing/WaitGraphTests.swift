// Graphs of waits: stuck vertices, cycles, drawings.

import Futures
import Testing

@testable import FuturesDiagnostics

@Suite struct WaitGraphTests {
    /// A graph of vertices `a`, `b`, …, each with those that it waits for; `|` between them: one is enough; `!`:
    /// something outside may complete it.
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

    @Test(arguments: [
        (["a:b", "b:a"], "ab"),
        (["a:b", "b:c", "c:"], ""),
        // All of two, of which one is stuck; one of two, of which one is not.
        (["a:bc", "b:b", "c:"], "ab"),
        (["a:b|c", "b:b", "c:"], "b"),
        (["a:b|c", "b:a", "c:a"], "abc"),
        (["a:b!", "b:a"], ""),
        // What waits for a cycle is stuck, too.
        (["a:b", "b:c", "c:b"], "abc"),
        (["a:a"], "a"),
    ])
    func `a vertex is stuck if no event outside the graph can ever complete it`(_ lines: [String], _ stuck: String) {
        let graph = build(lines)
        #expect(names(graph, graph.stuck.sorted()) == stuck)
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

    @Test func `a chain of any depth needs little stack, and shows its first levels`() {
        // Each waits for the next one and for one that is shown beside it.
        var deep = WaitGraph()
        for index in 0..<100_000 {
            var vertex = WaitGraph.Vertex(title: "\(index)")
            if index < 99_998 { vertex.waitsFor = [index + 1, 99_999] }
            deep.vertices.append(vertex)
        }
        let (graph, text) = (deep, Promise<String>())
        let hasEnded = onAnotherThread(stackSize: smallStack) { text.succeed(graph.chain(from: 0)) }
        #expect(hasEnded)
        let lines = (try? text.future.wait())?.split(separator: "\n") ?? []
        // Forty levels, and under each but the last the vertex that they share.
        #expect(lines.count == 79)
        #expect(lines[39].hasPrefix(String(repeating: "  ", count: 39)) && lines.last == "  99999, shown above")
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

    @Test func `a quotation mark with an accent does not end a label in a drawing`() {
        var graph = build(["a:"])
        graph.vertices[0].name = "\"\u{301}];"
        #expect(graph.dot.contains("[label=\"a \\\"\\\"\u{301}];\\\", waits for a completion\"];"), "\(graph.dot)")
        #expect(
            graph.mermaid.contains("[\"a #quot;#quot;\u{301}];#quot;, waits for a completion\"]"), "\(graph.mermaid)")
    }

    @Test(arguments: [
        (Duration.milliseconds(3), "3 ms"), (.milliseconds(999), "999 ms"), (.seconds(1), "1 s"),
        (.milliseconds(4230), "4.2 s"), (.seconds(119), "119 s"), (.seconds(150), "2.5 min"), (.seconds(9000), "2.5 h"),
        (.seconds(-1), "0 ms"),
    ])
    func `a duration is shown in the unit that a person would use`(_ duration: Duration, _ text: String) {
        #expect(Text.duration(duration) == text)
    }

    @Test func `places are ordinal numbers`() {
        #expect(
            [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(Text.ordinal)
                == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"])
    }
}
