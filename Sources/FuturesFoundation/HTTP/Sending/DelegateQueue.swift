// DelegateQueue: the queue of a session's delegate, which slows a session that is too fast for it.

import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    /// A serial operation queue in which a bounded number of blocks waits.
    ///
    /// On Linux, a session adds a block for each 16 KiB of a body, and does not wait until it has run. A reply of 7 MB that
    /// decompresses to a gigabyte was in memory as a whole before the delegate had cancelled it: 1.1 GB. Here, `addOperation`
    /// blocks the session's own thread while `capacity` blocks wait.
    // Safe to share: it has only constants, and the queue and the semaphore are thread-safe.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        /// A megabyte of a body.
        private static let capacity = 64

        private let queue = DispatchQueue(label: "futures.http")
        private let places = DispatchSemaphore(value: capacity)
        private let isHere = DispatchSpecificKey<Bool>()

        override init() {
            super.init()
            maxConcurrentOperationCount = 1
            queue.setSpecific(key: isHere, value: true)
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            // A block that is added by another one must not wait for it.
            let waits = DispatchQueue.getSpecific(key: isHere) != true
            if waits { places.wait() }
            queue.async { [places] in
                block()
                if waits { places.signal() }
            }
        }

        override func addOperation(_ operation: Operation) { addOperation { operation.start() } }
    }
#endif
