// HostQueues: one queue per host, so that no host gets more requests at a time than it can bear.

import Foundation
import Futures

/// Hands out each host's queue.
@MainActor
struct HostQueues {
    let maxConcurrentCount: Int
    private var queues: [Origin?: FutureQueue<Void>] = [:]

    init(maxConcurrentCount: Int) {
        self.maxConcurrentCount = maxConcurrentCount
    }

    subscript(address: URL) -> FutureQueue<Void> {
        mutating get {
            let origin = Origin(address)
            if let queue = queues[origin] { return queue }
            let queue = FutureQueue(maxConcurrentCount: maxConcurrentCount)
            queues[origin] = queue
            return queue
        }
    }
}
