// Released results: reads of them, and who releases none.

import Testing

@testable import Futures

@Suite struct ReleasedResultTests {
    #if DEBUG
        @Test func `reading a released result traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let future = Future(on: .immediate, immediate: { ["a", "b"] })
                future.node.releaseValue()
                print(future.result as Any)
            }
            expectTrap(result, saying: "A result was read that was released.")
        }
    #endif

    @Test func `a thread that waits does not release what the chain has left`() {
        let census = Census()
        var source: Future<Census.Counted>? = Future(on: .immediate, immediate: { census.make() })
        let end = source!.map(on: .immediate) { _ in 1 }
        source = nil
        // The variable referred to the value's future when the value was passed on.
        #expect(census.alive == 1)
        // What `wait` does, if the future completes meanwhile. A deinit may wait for what its thread does next.
        _ = Node.listener(to: end.node) { _ in }
        #expect(census.alive == 1)
        #expect(end.map(on: .immediate) { $0 }.success == 1)
        #expect(census.alive == 0)
    }
}

extension Node {
    /// Releases the value, as if the caller had the only reference to this node.
    func releaseValue() {
        var value = takeValue()
        value.release()
    }
}
