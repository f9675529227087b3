// rejected: actor-isolated property 'count' can not be mutated
import Futures

actor Counter {
    var count = 0

    func watch(_ future: Future<Int>, for other: Counter) {
        future.onValue { other.count += $0 + self.count }
    }
}
