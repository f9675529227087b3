// Processors: all threads share one.

import CAllocations
import Dispatch
import Testing

@testable import benchmarks

/// The other suites would be slowed down beside it, but not fail.
@Suite(.serialized) struct ProcessorsTests {
    @Test func `threads share a processor while work runs, and have theirs back afterwards`() {
        let before = processor_count()
        let during = Processors.sharing(if: true) {
            // This thread, and one of Dispatch.
            [processor_count(), onAnotherThread()]
        }
        #if os(Linux)
            #expect(during == [1, 1])
        #endif
        #expect(processor_count() == before)
        #expect(Processors.sharing(if: false) { processor_count() } == before)
    }

    private func onAnotherThread() -> Int32 {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var count: Int32 = 0
        DispatchQueue(label: "another").async {
            count = processor_count()
            done.signal()
        }
        done.wait()
        return count
    }
}
