// Endless recursion: a chain that never completes by itself can still be cancelled. Contract/Schedulers.md

import Futures
import Testing

struct EndlessRecursionTests {
    @Test func `an endless recursion of completed futures can be cancelled`() {
        let (began, ended) = (Signal(), Signal())
        @Sendable func loop(_ object: Census.Counted, _ step: Int) -> Future<Int> {
            Future(step).flatMap(on: .immediate) { step in
                if step == 1000 { began.send() }
                return loop(object, step + 1)
            }
        }
        let start = Promise<Void>()
        let all = start.future.flatMap(on: Scheduler(label: "endless")) {
            loop(Census().make { ended.send() }, 0)
        }
        start.succeed()
        #expect(began.comes())
        all.cancel()
        #expect(all.isCancelled)
        // Its closures were released, so the recursion has stopped.
        #expect(ended.comes())
    }
}
