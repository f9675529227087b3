// rejected: non-Sendable type 'Counter'
import Futures

final class Counter {
    var count = 0
}

func count(_ future: Future<Int>, with counter: Counter) {
    future.onValue { counter.count += $0 }
}
