// rejected: return a future (not an optional one; without await), or use run { … }, runSync { … }
import Futures

func load() -> Future<Int> { Future(1) }

func prepare() async {}

func reload(_ queue: FutureQueue<Void>) {
    queue.enqueue {
        await prepare()
        return load()
    }
}
