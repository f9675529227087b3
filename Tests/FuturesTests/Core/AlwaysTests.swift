// Operations that are cancelled before they start, and handlers that always run. Contract/Cancelling.md

import Futures
import FuturesTesting
import Testing

@Suite struct AlwaysTests {
    @Test func `an operation that is cancelled before its scheduler starts it never starts`() {
        let time = VirtualTime()
        let runs = Shared(0)
        let futures = [
            Future(on: time.scheduler, immediate: { runs.increment() }),
            Future(on: time.scheduler) { completion in
                completion(.success(runs.increment()))
                return NilDisposer()
            },
            Future(1).map(on: time.scheduler) { _ in runs.increment() },
            Future(1).flatMap(on: time.scheduler) { _ in Future(runs.increment()) },
        ]
        for future in futures { future.cancel() }
        time.run()
        #expect(runs.value == 0)
        for future in futures { #expect(future.isCancelled) }
    }

    enum End: CaseIterable { case completed, failed, cancelled, cancelledAbove, abandoned }

    @Test(arguments: End.allCases)
    func `always runs once for each run that completes, fails, is cancelled or is abandoned`(end: End) {
        let calls = Shared(0)
        let promise = Shared<Promise<Int>?>(Promise())
        let last = promise.value!.future
            .map(on: .immediate) { $0 }
            .always(on: .immediate) { calls.increment() }
        switch end {
        case .completed: promise.value!.succeed(1)
        case .failed: promise.value!.fail(Oops())
        case .cancelled: last.cancel()
        case .cancelledAbove: promise.value!.fail(CancellationError())
        case .abandoned: promise.value = nil
        }
        #expect(calls.value == 1)
        #expect(last.isCompleted)
        last.cancel()
        promise.value?.succeed(2)
        #expect(calls.value == 1)
    }
}
