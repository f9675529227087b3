// A serial scheduler's own queue of jobs. Contract/Schedulers.md

import Futures
import Testing

@Suite struct SerialBackendTests {
    @Test func `a serial scheduler runs one job at a time, in first-in, first-out order`() {
        let (scheduler, log, running) = (Scheduler(label: "line"), Log<Int>(), Shared(0))
        for number in 0..<5000 {
            scheduler.async {
                running.value += 1
                #expect(running.value == 1 && scheduler.isCurrent)
                log.add(number)
                running.value -= 1
            }
        }
        scheduler.sync {}
        #expect(log.entries == Array(0..<5000))
    }
}
