// rejected: unavailable: write Future.settle(a, b) for futures of different types: in an array, all have one type
import Futures

func both(_ number: Future<Int>, _ text: Future<String>) {
    let all = Future.settle([number, text])
    _ = all
}
