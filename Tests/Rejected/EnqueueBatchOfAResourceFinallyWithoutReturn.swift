// rejected: return futures and await nothing, or use runBatch { … } finally: { … }
import Futures

func close(_ file: Int) -> Future<Void> { Future() }

func reload(_ target: FutureQueue<Int>) {
    target.enqueueBatch { _ in
        1
    } finally: { file, _ in
        close(file)
    }
}
