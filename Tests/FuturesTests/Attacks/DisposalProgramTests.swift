// Random operations that are cancelled while they dispose.

import Testing

extension Attacks {
    @Suite struct Disposals {
        @Test func `no operation and no cleanup starts while the disposable of the previous operation is disposed`() {
            Attacks.run(isDebug ? 1000 : 10_000) { random in DisposalProgram(&random).complaint() }
        }
    }
}
