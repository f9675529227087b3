// rejected: call to global actor 'LazySequenceIsNotSendable'-isolated instance method 'reduceToFuture(
// saying: transform the elements in the closure instead, or copy them: Array(…)
import Futures

_ = ["1", "2"].lazy.compactMap { Int($0) }.reduceToFuture(0) { sum, number in Future(sum + number) }
