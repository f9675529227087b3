// Random callbacks that wait, at any nesting depth.

import Futures
import Testing

extension Attacks {
    @Suite struct Blocking {
        @Test func `a callback at any depth can wait in any way for work that it started or turns that it released`() {
            Attacks.run(isDebug ? 200 : 2000) { random in
                BlockingRun(BlockingProgram(&random)).complaint()
            }
        }
    }
}
