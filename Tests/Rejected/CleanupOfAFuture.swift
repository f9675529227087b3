// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'run(
// saying: nothing would wait for the cleanup: use enqueue { … }, or await its value
import Futures

func prepare() async {}

func reload(_ target: FutureQueue<Void>, _ log: FutureQueue<Void>) {
    target.run {
        await prepare()
    } finally: { _ in
        log.runSync { print("done") }
    }
}
