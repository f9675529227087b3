// rejected: 'cancelAll()' is unavailable: use abortQueuedOperations()
import Futures

func stop(_ queue: FutureQueue<Void>) {
    queue.cancelAll()
}
