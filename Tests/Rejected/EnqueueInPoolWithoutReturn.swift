// rejected: return a future (not an optional one; without await), or use withResource { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ pool: ResourcePool<Int>) {
    pool.enqueue { number in
        print("loads", number)
        load().onValue { print($0) }
    }
}
