// Random callbacks that wait, however deep.

import Futures
import Testing

extension Attacks {
    @Suite struct Blocking {
        @Test func `a callback at any depth waits in any way for what it has begun or given back`() {
            Attacks.run(isDebug ? 200 : 2000) { random in
                BlockingRun(BlockingProgram(&random)).complaint()
            }
        }
    }
}
