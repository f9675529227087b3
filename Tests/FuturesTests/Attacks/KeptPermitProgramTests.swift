// Random chains that are cancelled and kept. Contract/GivingBack.md

import Futures
import Testing

extension Attacks {
    @Suite struct KeptPermits {
        @Test func `the permits of a random chain that is cancelled go back, though the chain is kept`() {
            Attacks.run(isDebug ? 500 : 5000) { random in KeptPermitProgram(&random).complaint() }
        }
    }
}
