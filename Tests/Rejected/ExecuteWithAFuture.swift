// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'execute(
// saying: nothing would wait for the future that is returned: use start().flatMap
import Futures

func save(_ value: Int) -> Future<Void> { Future() }

func start(_ load: Deferred<Int>) {
    load.execute { useResult in save(try useResult()) }
}
