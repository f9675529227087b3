// rejected: 'then' is unavailable: use flatMap for a closure that returns a future, and map for one that returns a value
import Futures

func twice(_ number: Future<Int>) -> Future<Int> {
    number.then { number in number * 2 }
}
