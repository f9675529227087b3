// rejected: 'catch' is unavailable: use onError to observe an error, and recover for a value instead of it
import Futures

func report(_ number: Future<Int>) {
    _ = number.catch { error in print(error) }
}
