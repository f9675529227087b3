// rejected: main actor-isolated property 'count' can not be mutated from a Sendable closure
import Futures

@MainActor final class Screen {
    var count = 0

    func show(_ future: Future<Int>) {
        future.onValue(on: .background) { self.count += $0 }
    }
}
