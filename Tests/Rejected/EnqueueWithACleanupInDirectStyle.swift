// rejected: return futures and await nothing, or use run { … } finally: { … }
import Futures

func load() -> Future<Int> { Future(1) }
func close() async {}

func reload(_ target: FutureQueue<Int>) {
    target.enqueue { _ in
        load()
    } finally: { _, _ in
        await close()
    }
}
