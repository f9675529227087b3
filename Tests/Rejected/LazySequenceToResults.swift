// rejected: call to global actor 'LazySequenceIsNotSendable'-isolated instance method 'mapToFutureResults(
// saying: transform the elements in the closure instead, or copy them: Array(…)
import Futures

_ = (0...).lazy.filter { $0 > 1 }.mapToFutureResults { Future($0) }
