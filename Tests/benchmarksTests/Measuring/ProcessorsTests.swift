// Processors: all threads share one.

import CAllocations
import Dispatch
import Testing

@testable import benchmarks

/// All threads of the process share a processor for some microseconds. Tests that run at the same time are slower then.
@Suite(.serialized) struct ProcessorsTests {
    @Test func `threads share a processor while work runs, and can use all of theirs afterwards`() throws {
        let before = processor_count()
        #if os(Linux)
            try #require(processor_share())
            // Only the first call succeeds.
            #expect(!processor_share())
            processor_share_no_more()
            let during = Processors.sharing(if: true) { [processor_count(), onAnotherThread()] }
            #expect(during == [1, 1])
        #else
            #expect(!processor_share())
        #endif
        #expect([processor_count(), onAnotherThread()] == [before, before])
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
