// rejected: 'onSuccess' is unavailable: use onValue
import Futures

func report(_ number: Future<Int>) {
    _ = number.onSuccess { print($0) }
}
