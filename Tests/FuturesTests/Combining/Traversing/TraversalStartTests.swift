// The start of a traversal, and its iterator: threads and cancels meanwhile.

import Dispatch
import Foundation
import Futures
import Testing

@Suite struct TraversalStartTests {
    @Test(arguments: [true, false])
    func `an error ends a traversal while the closure of another element blocks`(cancels: Bool) throws {
        let (failing, holding) = (Promise<Int>(), Promise<Int>())
        let (begun, heard, cancelled) = (Signal(), Signal(), Signal())
        let all = (0..<4).mapToFuture(
            on: .background, maxConcurrentCount: 4, cancelNonCompleted: cancels
        ) { number -> Future<Int> in
            switch number {
            case 0: return holding.future.onCancel(on: .background) { cancelled.send() }
            case 1: return failing.future
            case 2:
                begun.send()
                #expect(heard.comes())
                if cancels { #expect(cancelled.comes()) }
                return Future(2)
            default:
                Issue.record("begun after the error")
                return Future(3)
            }
        }
        #expect(begun.comes())
        all.onError(on: .background) { _ in heard.send() }
        failing.fail(Oops(1))
        #expect(throws: Oops(1)) { try all.wait(timeout: testTimeout) }
        #expect(holding.succeed(1) == !cancels)
    }

    @Test func `a cancel ends a traversal while the closure of an element blocks`() {
        let (begun, cancelled, isOver) = (Signal(), Signal(), Signal())
        let all = (0..<100).mapToFuture(on: .background, maxConcurrentCount: 100) { number -> Future<Int> in
            switch number {
            case 0: return stoppable { cancelled.send() }
            case 1:
                begun.send()
                #expect(cancelled.comes())
                isOver.send()
            default: Issue.record("begun after the cancel")
            }
            return Future(number)
        }
        #expect(begun.comes())
        all.cancel()
        #expect(isOver.comes())
    }
}
