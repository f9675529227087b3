// rejected: call to global actor 'LazySequenceIsNotSendable'-isolated instance method 'forEachToFuture(
// saying: transform the elements in the closure instead, or copy them: Array(…)
import Futures

[1, 2].lazy.map { "\($0)" }.forEachToFuture {
    Future($0)
} onResult: { element, result in
    print(element, result)
}
