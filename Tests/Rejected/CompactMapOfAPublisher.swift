// rejected: 'compactMap' is unavailable: use map, and unwrap(orThrow:) for the error of nil
import Futures

func number(_ text: Future<String>) {
    _ = text.compactMap { Int($0) }
}
