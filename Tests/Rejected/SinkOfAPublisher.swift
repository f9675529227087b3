// rejected: 'sink(receiveCompletion:receiveValue:)' is unavailable: use onResult, or onValue and onError
import Futures

func report(_ number: Future<Int>) {
    _ = number.sink(receiveCompletion: { _ in print("done") }, receiveValue: { print($0) })
}
