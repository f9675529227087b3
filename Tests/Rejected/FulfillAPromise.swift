// rejected: 'fulfill' is unavailable: use succeed(value)
import Futures

func end(_ promise: Promise<Int>) {
    promise.fulfill(1)
}
