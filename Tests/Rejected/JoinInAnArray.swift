// rejected: unavailable: write join(a, b) for futures of different types: in an array, all have one type
import Futures

func both(_ number: Future<Int>, _ text: Future<String>) {
    let all = join([number, text])
    _ = all
}
