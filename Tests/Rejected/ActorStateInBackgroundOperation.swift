// rejected: actor-isolated property 'count' can not be referenced from a Sendable closure
import Futures

actor Counter {
    var count = 0

    func begin() -> Future<Int> {
        Future(on: .background, immediate: { self.count })
    }
}
