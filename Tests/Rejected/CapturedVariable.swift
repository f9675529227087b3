// rejected: mutation of captured var 'sum' in concurrently-executing code
import Futures

func add(_ futures: [Future<Int>]) -> Int {
    var sum = 0
    for future in futures { future.onValue { sum += $0 } }
    return sum
}
