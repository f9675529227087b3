// rejected: 'flatMap' is deprecated: it does not keep the permit until the closure's future completes: use enqueue { … }
import Futures

func work() -> Future<Int> { .never }

func guarded(_ mutex: FutureMutex) -> Future<Int> {
    mutex.acquire().flatMap { _ in work() }
}
