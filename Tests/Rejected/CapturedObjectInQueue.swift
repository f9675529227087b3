// rejected: non-Sendable type 'Counter'
import Futures

final class Counter {
    var count = 0
}

func count(in queue: FutureQueue<Void>, with counter: Counter) {
    queue.enqueue {
        counter.count += 1
        return Future()
    }
}
