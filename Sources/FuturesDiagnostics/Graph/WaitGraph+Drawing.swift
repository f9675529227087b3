// The graph as a drawing: in the languages of Graphviz and of Mermaid.

extension WaitGraph {
    /// The graph in the DOT language, to be drawn by Graphviz: `dot -Tsvg`. What is stuck is red.
    var dot: String {
        let (stuck, cycle) = (stuck, Set(cycles.flatMap { $0 }))
        var lines = ["digraph futures {", "  node [shape=box, fontname=sans];"]
        for (index, vertex) in vertices.enumerated() {
            let color = stuck.contains(index) ? ", color=red" : ""
            lines.append("  \(index) [label=\"\(Self.escaped(vertex.label))\"\(color)];")
        }
        for (from, vertex) in vertices.enumerated() {
            for to in vertex.waitsFor {
                let color = cycle.contains(from) && cycle.contains(to) ? " [color=red, penwidth=2]" : ""
                lines.append("  \(from) -> \(to)\(color);")
            }
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// The graph in the language of Mermaid, which many sites draw in Markdown. What is stuck is red.
    var mermaid: String {
        let stuck = stuck
        var lines = ["flowchart LR"]
        for (index, vertex) in vertices.enumerated() {
            lines.append("  \(index)[\"\(Self.replacing(["\"": "#quot;"], in: vertex.label))\"]")
        }
        for (from, vertex) in vertices.enumerated() { lines += vertex.waitsFor.map { "  \(from) --> \($0)" } }
        if !stuck.isEmpty {
            lines.append("  classDef stuck stroke:#d00,stroke-width:3px")
            lines.append("  class \(stuck.sorted().map(String.init).joined(separator: ",")) stuck")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String) -> String { replacing(["\"": "\\\"", "\\": "\\\\"], in: text) }

    /// By scalars: a quotation mark with an accent is one character, and still ends the text of a label.
    private static func replacing(_ replacements: [Unicode.Scalar: String], in text: String) -> String {
        text.unicodeScalars.map { replacements[$0] ?? String($0) }.joined()
    }
}

extension WaitGraph.Vertex {
    fileprivate var label: String { text + (outside.map { ", waits for \($0)" } ?? "") }
}
