// Operators of futures that deferreds have, too.

import Futures
import FuturesTesting
import Testing

@Suite struct DeferredObserveTests {
    @Test func `a deferred's observers are called in each run, before it completes`() {
        let log = Log<String>()
        let runs = AtomicCounter()
        let deferred = Deferred {
            if runs.up() == 2 { throw Oops(2) }
            return runs.value
        }.onValue { log.add("value \($0)") }.onError { log.add("error \($0 as! Oops == Oops(2))") }
        #expect(log.entries == [])
        let results = (0..<3).map { _ in deferred.start(on: .immediate) }
        #expect(results.map(\.success) == [1, nil, 3])
        #expect(log.entries == ["value 1", "error true", "value 3"])
    }

    @Test func `each run of a deferred is retried by its policy`() {
        let (time, runs) = (VirtualTime(), AtomicCounter())
        let deferred = Deferred {
            if !runs.up().isMultiple(of: 3) { throw Oops(runs.value) }
            return runs.value
        }.retry(RetryPolicy(.constant(.seconds(1)), maxRepetitions: 2))
        for run in 1...2 {
            let future = deferred.start(on: time.scheduler)
            time.advance(by: .seconds(1.5))
            #expect(!future.isCompleted)
            time.advance(by: .seconds(0.5))
            #expect(future.success == run * 3)
        }
    }
}
