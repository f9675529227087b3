// rejected: 'onComplete' is unavailable: use onResult
import Futures

func report(_ number: Future<Int>) {
    _ = number.onComplete { print($0) }
}
