// Progressions: ten million stages in constant memory.

import Futures
import Testing

// Dispatch keeps some megabytes for hops; two bytes per stage would exceed this limit.
private let limit = 16 << 20

extension ScaleTests {
    @Suite(.serialized) struct ProgressionScaleTests {
        private struct Walk: Progression {
            var left: Int
            func next() -> Deferred<Walk> { Deferred { Walk(left: left - 1) } }
            var result: Int? { left == 0 ? 0 : nil }
        }

        @Test func `ten million stages use constant memory and stack`() throws {
            let count = scaled(10_000_000)
            _ = try Walk(left: 1000).run().wait()
            #expect(try growth { _ in _ = try Walk(left: count).run().wait() } < limit)
            onSmallStack { #expect(Walk(left: count).run(on: .immediate).success == 0) }
        }
    }
}
