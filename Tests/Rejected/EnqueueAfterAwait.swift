// rejected: return a future and await nothing, or use run { … }
import Futures

func load() -> Future<Int> { Future(1) }

func prepare() async {}

func reload(_ queue: FutureQueue<Void>) {
    queue.enqueue {
        await prepare()
        return load()
    }
}
