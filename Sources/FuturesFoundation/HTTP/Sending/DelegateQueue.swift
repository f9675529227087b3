// DelegateQueue: the queue of a session's delegate, which slows a session that is too fast for it.

import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    /// A serial operation queue in which a bounded number of blocks waits.
    ///
    /// On Linux, a session adds a block for each 16 KiB of a body, and does not wait until it has run. A reply of 7 MB
    /// that decompresses to a gigabyte was in memory as a whole before the delegate had cancelled it: 1.1 GB. Here,
    /// `addOperation` blocks the session's own thread while `capacity` blocks wait.
    // Safe to share: the condition protects the variables, and the queue is thread-safe.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        /// A megabyte of a body.
        private static let capacity = 64

        private let queue = DispatchQueue(label: "futures.http")
        private let isHere = DispatchSpecificKey<Bool>()
        private let condition = NSCondition()
        private var count = 0
        private var isUnlimited = false

        override init() {
            super.init()
            maxConcurrentOperationCount = 1
            queue.setSpecific(key: isHere, value: true)
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            // A block that is added by another one must not wait for it.
            let waits = DispatchQueue.getSpecific(key: isHere) != true
            if waits { takePlace() }
            queue.async { [self] in
                block()
                if waits { leavePlace() }
            }
        }

        override func addOperation(_ operation: Operation) { addOperation { operation.start() } }

        /// Calls `body`, which may wait for the session's own thread, in a block of this queue. Meanwhile, that thread
        /// does not wait for this queue.
        func withoutLimit(_ body: () -> Void) {
            setUnlimited(true)
            body()
            setUnlimited(false)
        }

        private func setUnlimited(_ isUnlimited: Bool) {
            condition.withLock {
                self.isUnlimited = isUnlimited
                condition.broadcast()
            }
        }

        private func takePlace() {
            condition.withLock {
                while count >= Self.capacity, !isUnlimited { condition.wait() }
                count += 1
            }
        }

        private func leavePlace() {
            condition.withLock {
                count -= 1
                condition.signal()
            }
        }
    }
#endif
