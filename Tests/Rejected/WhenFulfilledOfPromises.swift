// rejected: 'when(fulfilled:)' is unavailable: use join(a, b)
import Futures

func both(_ number: Future<Int>, _ text: Future<String>) {
    _ = when(fulfilled: number, text)
}
