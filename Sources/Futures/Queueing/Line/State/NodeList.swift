// NodeList: waiting operations, first in, first out, of which any can leave in O(1).

/// A list of nodes of a line, first in, first out. It retains them, and any can leave in O(1).
///
/// A waiting operation is in no other list, so its links serve as its place in this one.
struct NodeList {
    private var ring = Listeners(last: Word.pending)

    var isEmpty: Bool { ring.isEmpty }

    /// Reads the first operation without a retain; nil if there is none.
    func first<T>(_ read: (LineNode) -> T) -> T? {
        ring.first?._withUnsafeGuaranteedRef { read(unsafeDowncast($0, to: LineNode.self)) }
    }

    mutating func append(_ node: LineNode) { ring.add(node) }

    mutating func takeFirst() -> LineNode? { ring.takeFirst().map { unsafeDowncast($0, to: LineNode.self) } }

    /// Takes out an operation, and gives away the list's reference to it.
    mutating func take(_ node: LineNode) -> Node { ring.take(node) }

    /// Takes out all operations, which are outside of the queue then.
    mutating func takeAll(into nodes: inout [LineNode]) {
        while let node = takeFirst() {
            node.position = .outside
            nodes.append(node)
        }
    }

    /// Calls `body` with the addresses of the first operations, at most `count`.
    func forFirst(_ count: Int, _ body: (UnsafeRawPointer) -> Void) {
        ring.forFirst(count) { body($0.toOpaque()) }
    }
}
