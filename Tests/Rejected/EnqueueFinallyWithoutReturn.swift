// rejected: generic parameter 'T' could not be inferred
import Futures

func close() -> Future<Void> { Future() }

func reload(_ target: FutureQueue<Void>) {
    target.enqueue {
        1
    } finally: { _, _ in
        close()
    }
}
