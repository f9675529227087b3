// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'execute(
// saying: nothing would wait for the future that is returned: use run().flatMap
import Futures

func save(_ value: Int) -> Future<Void> { Future() }

func start<P: Progression>(_ load: P) where P.Result == Int {
    load.execute { useResult in save(try useResult()) }
}
