// rejected: 'mapError' is unavailable: use recover, as the closure of mapError returns an error
import Futures

func price(_ number: Future<Int>) -> Future<Int> {
    number.mapError { _ in 0 }
}
