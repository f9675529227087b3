// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'run(
// saying: nothing would wait for the cleanup: use enqueue { … }, or await its value
import Futures

func prepare() async {}
func close() -> Future<Void> { Future() }

func reload(_ target: FutureQueue<Int>) {
    target.run { number in
        await prepare()
        return number
    } finally: { _, _ in
        await prepare()
        return close()
    }
}
