// Jobs and blocks of one dispatch queue, submitted by several threads.

import Dispatch
import Futures
import Testing

@Suite struct HopOrderStressTests {
    enum Place: CaseIterable, Sendable {
        case wrapped, targeted, serial
    }

    @Test(arguments: Place.allCases)
    func `a job runs before what its thread submits next, also while other threads submit`(place: Place) {
        let queue = DispatchQueue(label: "queue")
        let scheduler =
            switch place {
            case .wrapped: Scheduler(queue: queue)
            case .targeted: Scheduler(label: "targeted", target: queue)
            case .serial: Scheduler(label: "serial")
            }
        let (overtaken, isDone) = (AtomicCounter(), Shared(false))
        let count = 20 * rounds
        @Sendable func submit() {
            for round in 0..<count {
                let (job, listener) = (Shared(false), Shared(false))
                scheduler.async { job.value = true }
                Future(1).onValue(on: scheduler) { _ in listener.value = true }
                let check: @Sendable () -> Void = { if !job.value || !listener.value { overtaken.up() } }
                if place == .wrapped, round % 2 == 0 { queue.sync(execute: check) } else { scheduler.sync(check) }
            }
            isDone.value = true
        }
        @Sendable func disturb() {
            // In portions, so that the number of waiting jobs does not grow.
            while !isDone.value {
                for _ in 0..<20 { scheduler.async {} }
                scheduler.sync {}
            }
        }
        race(submit, disturb, disturb)
        #expect(overtaken.value == 0)
    }
}
