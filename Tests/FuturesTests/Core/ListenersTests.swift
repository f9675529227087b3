// Listeners: the layout that their unsafe code relies on.

import Testing

@testable import Futures

struct ListenersTests {
    @Test func `a node's links and traits have the offsets that its neighbours use`() {
        let node = Node.pending()
        let start = UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque())
        let next = withUnsafeMutablePointer(to: &node.next) { UInt(bitPattern: $0) }
        let previous = withUnsafeMutablePointer(to: &node.previous) { UInt(bitPattern: $0) }
        #expect(Int(next - start) == Field.next)
        #expect(Int(previous - start) == Field.previous)
        let watcher = Node.listener(to: node, .watcher) { _ in }
        let traits = (Unmanaged.passUnretained(watcher).toOpaque() + Field.traits).load(as: Traits.self)
        #expect(traits == watcher.traits && traits.contains(.watcher))
    }
}
