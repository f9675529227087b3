// rejected: risks causing data races
import Futures

final class Counter {
    var count = 0
}

func box() -> Future<Unchecked<Counter>> {
    let counter = Counter()
    let future = Future(Unchecked(counter))
    counter.count += 1
    return future
}
