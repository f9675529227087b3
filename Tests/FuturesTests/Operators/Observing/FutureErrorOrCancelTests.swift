// onErrorOrCancel: one callback for errors and cancels. Contract/Operators.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureErrorOrCancelTests {
    @Test func `onErrorOrCancel is called once for an error, a cancel from upstream or a cancel from downstream`() {
        enum End: CaseIterable { case value, error, above, below, abandonment }
        for end in End.allCases {
            let heard = Log<any Error>()
            var promise: Promise<Int>? = Promise()
            let observed = promise!.future.onErrorOrCancel(on: .immediate) { heard.add($0) }
            switch end {
            case .value: promise?.succeed(1)
            case .error: promise?.fail(Oops(2))
            case .above: promise?.fail(CancellationError())
            case .below: observed.cancel()
            case .abandonment: break
            }
            promise = nil
            #expect(heard.count == (end == .value ? 0 : 1))
            switch end {
            case .value: #expect(observed.success == 1)
            case .error: #expect(heard.entries.first as? Oops == Oops(2) && observed.error as? Oops == Oops(2))
            case .above, .below: #expect(heard.entries.first is CancellationError && observed.isCancelled)
            case .abandonment: #expect(heard.entries.first is FutureError && observed.error is FutureError)
            }
        }
    }

    @Test func `onErrorOrCancel is called on its scheduler, and values pass it in place`() {
        let time = VirtualTime()
        let places = Log<Bool>()
        let (failing, cancelled) = (Promise<Int>(), Promise<Int>())
        failing.future.onErrorOrCancel(on: time.scheduler) { _ in places.add(time.scheduler.isCurrent) }
        cancelled.future.onErrorOrCancel(on: time.scheduler) { _ in places.add(time.scheduler.isCurrent) }.cancel()
        failing.fail(Oops())
        #expect(places.entries == [])
        time.run()
        #expect(places.entries == [true, true])
        #expect(Future(1).onErrorOrCancel(on: time.scheduler) { _ in }.success == 1)
    }

    @Test func `a cancel during the hop of onErrorOrCancel calls it once`() {
        let time = VirtualTime()
        let heard = Log<any Error>()
        let observed = Future<Int>(error: Oops(1)).onErrorOrCancel(on: time.scheduler) { heard.add($0) }
        observed.cancel()
        time.run()
        #expect(heard.count == 1)
        #expect(observed.isCancelled)
    }

    @Test @MainActor func `onErrorOrCancel is called where it was attached`() {
        var heard = 0
        Future<Int>(error: Oops()).onErrorOrCancel { _ in heard += 1 }
        Promise<Int>().future.onErrorOrCancel { _ in heard += 1 }.cancel()
        #expect(heard == 2)
    }
}
