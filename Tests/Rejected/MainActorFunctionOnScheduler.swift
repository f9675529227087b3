// rejected: call to main actor-isolated instance method 'show' in a synchronous nonisolated context
import Futures

@MainActor final class Screen {
    func show(_ number: Int) {}

    func load() {
        _ = Future(on: .background) { () -> Int in
            self.show(1)
            return 1
        }
    }
}
