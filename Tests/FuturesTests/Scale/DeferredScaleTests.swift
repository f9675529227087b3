// Deferreds: chains of a million steps, and endless recursion.

import Futures
import Testing

extension ScaleTests {
    @Suite(.serialized) struct DeferredScaleTests {
        @Test func `a chain of a million deferred steps is built, started and released without recursion`() {
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

        @Test func `endless recursion of deferreds uses constant stack and memory`() {
            onSmallStack {
                let growth = growth { _ in
                    #expect(Self.count(down: scaled(10_000_000)).start(on: .immediate).success == 0)
                }
                #expect(growth < 1 << 20)
            }
        }

        enum Nesting: CaseIterable { case flatMap, flatMapError, and, joined, following }

        /// Returns a deferred with `inner` nested in it, whose value is one more.
        private static func nest(_ inner: Deferred<Int>, _ nesting: Nesting) -> Deferred<Int> {
            switch nesting {
            case .flatMap: Deferred(1).flatMap { one in inner.map { $0 + one } }
            case .flatMapError: Deferred(error: Oops(1)).flatMapError { _ in inner.map { $0 + 1 } }
            case .and: Deferred(1).and(inner).map { $0 + $1 }
            case .joined: [inner].joined().map { $0[0] + 1 }
            case .following: Deferred.following { inner.start(on: .immediate).map(on: .immediate) { $0 + 1 } }
            }
        }

        @Sendable private static func count(down number: Int) -> Deferred<Int> {
            Deferred { number }.flatMap { $0 == 0 ? Deferred(0) : count(down: $0 - 1) }
        }
    }
}
