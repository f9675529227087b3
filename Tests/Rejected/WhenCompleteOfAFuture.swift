// rejected: 'whenComplete' is unavailable: use onResult
import Futures

func report(_ number: Future<Int>) {
    number.whenComplete { result in print(result) }
}
