// rejected: return futures and await nothing, or use run { … } finally: { … }
import Futures

func close() -> Future<Void> { Future() }

func reload(_ target: FutureQueue<Void>) {
    target.enqueue {
        1
    } finally: { _ in
        close()
    }
}
