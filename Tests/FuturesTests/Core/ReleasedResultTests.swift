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
}

extension Node {
    /// Releases the value, as if the caller had the only reference to this node.
    func releaseValue() {
        var value = takeValue()
        value.release()
    }
}
