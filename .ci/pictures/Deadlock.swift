// Deadlock: the graph of waits that Debugging.md explains, from what `Diagnostics.waitGraph()` returns.

import Futures
import FuturesDiagnostics

/// Draws the deadlock of the guide's two queues.
enum Deadlock {
    /// The text of the graph, in the language of Graphviz. It names the lines of the guide's example.
    private static func graph() -> String {
        Diagnostics.isOn = true
        defer { Diagnostics.isOn = false }
        let ledger = FutureQueue(label: "ledger")
        let audit = FutureQueue(label: "audit")
        let start = Promise<Void>()
        #sourceLocation(file:"main.swift",line:9)
        let transfer = ledger.on(.immediate).enqueue {
            start.future.flatMap(on: .immediate) { audit.on(.immediate).enqueue { Future() } }
        }
        let check = audit.on(.immediate).enqueue {
            start.future.flatMap(on: .immediate) { ledger.on(.immediate).enqueue { Future() } }
        }
        #sourceLocation()
        start.succeed()
        return withExtendedLifetime((transfer, check)) { Diagnostics.waitGraph() }
    }

    static var drawing: SVG {
        var boxes = Boxes(title: "Two queues wait for each other", width: 700, height: 240)
        let graph = graph()
        let red = "#d55e00"
        // A ring: each vertex waits for the next one.
        let corners = [(20.0, 60.0), (430.0, 60.0), (430.0, 165.0), (20.0, 165.0)]
        let next = Dictionary(
            uniqueKeysWithValues: graph.matches(of: /(\d+) -> (\d+)/).map { (String($0.1), String($0.2)) })
        let texts = Dictionary(
            uniqueKeysWithValues: graph.matches(of: /(\d+) \[label="(.*)", color=red\]/).map {
                (String($0.1), String($0.2).replacing("\\\"", with: "\""))
            })
        precondition(next.count == 4 && texts.count == 4, "not the deadlock of the guide: \(graph)")
        let ring = (0..<3).reduce(into: ["0"]) { ring, _ in ring.append(next[ring.last!]!) }
        let places = zip(ring, corners).map {
            boxes.box(lines(texts[$0]!), at: $1, width: 250, color: red, weight: 1.6)
        }
        let sides: [(Boxes.Side, Boxes.Side)] = [
            (.right(), .left()), (.bottom(), .top()), (.left(), .right()), (.top(), .bottom()),
        ]
        for (index, sides) in sides.enumerated() {
            boxes.arrow(
                from: (places[index], sides.0), to: (places[(index + 1) % 4], sides.1), ["waits for"], color: red)
        }
        return boxes.drawing()
    }

    /// The text of a vertex in two lines, without durations: the operation and its place, and its state.
    private static func lines(_ text: String) -> [String] {
        guard let match = text.wholeMatch(of: /(.*) at (.*) \((.*)\)/) else { return [text] }
        let state = String(match.3).replacing(/( for)? \d+ ms/, with: "")
        return [String(match.1), "\(match.2), \(state)"]
    }
}
