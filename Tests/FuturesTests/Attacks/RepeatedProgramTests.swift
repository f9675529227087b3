// Random trees of combinations that are repeated.

import Futures
import Testing

extension Attacks {
    @Suite struct Repetitions {
        @Test func `repetitions of random combinations do what their first run did, at any depth`() {
            Attacks.run(isDebug ? 1000 : 20_000) { random in
                RepeatedRun(RepeatedProgram(&random)).complaint()
            }
        }
    }
}
