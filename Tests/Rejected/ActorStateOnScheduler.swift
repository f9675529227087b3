// rejected: actor-isolated property 'count' can not be mutated
import Futures

actor Counter {
    var count = 0

    func watch(_ future: Future<Int>) {
        future.onValue(on: .background) { self.count += $0 }
    }
}
