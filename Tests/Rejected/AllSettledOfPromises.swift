// rejected: 'allSettled' is unavailable: use Future.settle(futures)
import Futures

func all(_ numbers: [Future<Int>]) {
    _ = Future.allSettled(numbers)
}
