// Races of what is recorded of futures.

import Testing

@testable import Futures
@testable import FuturesDiagnostics

extension ThreadStressTests {
    // None of these needs the switch of recording. What is recorded goes with its future.
    @Suite struct RecordsStressTests {
        @Test func `a name that is given while another thread records the future is kept`() {
            (10 * rounds).rounds { _, round in
                let future = Promise<Int>().future
                race(2) { thread in
                    if thread == round % 2 { Records.add(future.inspected, []) } else { future.node.setName("user") }
                }
                #expect(future.node.givenName == "user")
            }
        }

        @Test func `records are read and changed while other threads release their futures`() {
            rounds.rounds { _, _ in
                let futures = Guarded<[Future<Int>]>((0..<10).map { Future($0) })
                race(3) { thread in
                    switch thread {
                    case 0:
                        while let future = futures.with({ $0.popLast() }) {
                            let next = future.map(on: .immediate) { $0 + 1 }
                            next.node.setName("next")
                            #expect(next.node.givenName == "next")
                        }
                    case 1: for node in Inspected.allRecorded { _ = node.record?.created }
                    default: for future in futures.with({ $0 }) { Records.add(future.inspected, [1]) }
                    }
                }
            }
        }
    }
}
