// Background: futures that keep hopping while the host starts other processes.

import Futures
import Synchronization

enum Background {
    private static let done = Mutex(false)
    private static let futures = Mutex<[Future<Int>]>([])

    static func begin() -> Int32 {
        let busy = (0..<8).map { number in
            Scheduler.background.perform { Future(on: .background, immediate: { number }).delay(by: .microseconds(50)) }
                .onValueRepeat { _ in done.withLock { !$0 } }
        }
        futures.withLock { $0 = busy }
        return 0
    }

    static func end() -> Int32 {
        done.withLock { $0 = true }
        let sum = try? join(futures.withLock { $0 }).wait().reduce(0, +)
        return sum == 28 ? 0 : 1
    }
}
