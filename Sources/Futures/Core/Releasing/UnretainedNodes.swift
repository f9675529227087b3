// Nodes of an array that are read without a reference, so that the array keeps the only one.

extension [Node] {
    /// Calls `body` with each node.
    func forEachUnretained(_ body: (Unmanaged<Node>) -> Void) { withUnretained { $0.forEach(body) } }

    /// Whether `test` returns true for a node; it is called with one after the other until then.
    func containsUnretained(where test: (Node) -> Bool) -> Bool {
        withUnretained { $0.contains { $0._withUnsafeGuaranteedRef(test) } }
    }

    private func withUnretained<T>(_ body: (UnsafeBufferPointer<Unmanaged<Node>>) -> T) -> T {
        // The references are not counted: a reference that is taken for the test whether there are others would be one
        // too many. An array of objects is an array of pointers. All copies of the array share its elements, so a node
        // in it is referenced once by all of them.
        withUnsafeBytes { body($0.assumingMemoryBound(to: Unmanaged<Node>.self)) }
    }
}
