// rejected: cannot pass function of type '@Sendable () async -> Future<Int>' to parameter expecting synchronous function type
import Futures

func load() -> Future<Int> { Future(1) }

func prepare() async {}

func reload(_ queue: FutureQueue<Void>) {
    queue.enqueue {
        await prepare()
        return load()
    }
}
