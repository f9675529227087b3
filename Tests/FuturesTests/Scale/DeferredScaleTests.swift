// Deferreds at scale: a million steps of a chain, endless recursion.

import Futures
import Testing

extension ScaleTests {
    @Suite(.serialized) struct DeferredScaleTests {
        @Test func `a chain of a million steps is built, started and freed without recursion`() {
            onSmallStack {
                let tally = Tally()
                let count = scaled(1_000_000)
                do {
                    let token = tally.token()
                    var deferred = Deferred { withExtendedLifetime(token) { 0 } }
                    for _ in 0..<count { deferred = deferred.map { $0 + 1 } }
                    let branch = deferred.map { -$0 }
                    #expect(deferred.start(on: .immediate).success == count)
                    deferred = Deferred(0)
                    #expect(branch.start(on: .immediate).success == -count)
                }
                #expect(tally.count == 0)
            }
        }

        @Test func `endless recursion of deferreds takes no stack and no memory`() {
            onSmallStack {
                let growth = growth { _ in
                    #expect(Self.count(down: scaled(10_000_000)).start(on: .immediate).success == 0)
                }
                #expect(growth < 1 << 20)
            }
        }

        @Sendable private static func count(down number: Int) -> Deferred<Int> {
            Deferred { number }.flatMap { $0 == 0 ? Deferred(0) : count(down: $0 - 1) }
        }
    }
}
