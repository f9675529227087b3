// rejected: call to global actor 'LazySequenceIsNotSendable'-isolated instance method 'mapToFuture(
// saying: transform the elements in the closure instead, or copy them: Array(…)
import Futures

_ = (0...).lazy.map { $0 + 1 }.mapToFuture(maxConcurrentCount: 4) { Future($0) }
