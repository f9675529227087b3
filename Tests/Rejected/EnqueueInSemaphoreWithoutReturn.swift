// rejected: return a future (not an optional one; without await), or use withPermit { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ semaphore: FutureSemaphore) {
    semaphore.enqueue(on: .background) {
        print("loads")
        load().onValue { print($0) }
    }
}
