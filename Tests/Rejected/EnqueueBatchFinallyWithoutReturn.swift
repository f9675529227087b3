// rejected: return futures and await nothing, or use runBatch { … } finally: { … }
import Futures

func close() -> Future<Void> { Future() }

func reload(_ target: FutureQueue<Void>) {
    target.enqueueBatch { _ in
        1
    } finally: { _ in
        close()
    }
}
