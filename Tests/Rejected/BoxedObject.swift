// rejected: risks causing data races
import Futures

final class Counter {
    var count = 0
}

func box() -> Future<UncheckedSendable<Counter>> {
    let counter = Counter()
    let future = Future(UncheckedSendable(counter))
    counter.count += 1
    return future
}
