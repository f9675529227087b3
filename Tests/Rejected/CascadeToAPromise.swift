// rejected: 'cascade(to:)' is unavailable: use promise.complete(with: future)
import Futures

func pass(_ number: Future<Int>, to promise: Promise<Int>) {
    number.cascade(to: promise)
}
