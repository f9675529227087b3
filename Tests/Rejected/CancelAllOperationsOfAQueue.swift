// rejected: 'cancelAllOperations()' is unavailable: use cancelAll()
import Futures

func stop(_ queue: FutureQueue<Void>) {
    queue.cancelAllOperations()
}
