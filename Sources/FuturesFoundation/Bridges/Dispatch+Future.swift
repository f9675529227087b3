// Dispatch: futures of blocks and of groups.

import Dispatch
import Futures

extension DispatchQueue {
    /// Returns a future of what `body` returns or throws, and submits it to this queue as a block.
    ///
    /// If the future is cancelled before the block runs, `body` is never called; if it is running, it continues, and
    /// its result is ignored. A repetition submits another block. Without flags and quality of service, a `Scheduler`
    /// around this queue does the same.
    public func asyncFuture<Value: Sendable>(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute body: @escaping @Sendable () throws -> Value
    ) -> Future<Value> {
        // The set of flags is not `Sendable`, its raw value is.
        let flags = flags.rawValue
        return Future(on: .immediate) { completion in
            let (scheduler, isStopped) = (Scheduler(queue: self), Locked(false))
            self.async(qos: qos, flags: DispatchWorkItemFlags(rawValue: flags)) {
                guard !isStopped.withLock({ $0 }) else { return }
                scheduler.perform { completion(Result { try body() }) }
            }
            return Disposer { isStopped.withLock { $0 = true } }
        }
    }

    /// Is notified of the ends of groups. It runs no user code.
    fileprivate static let ends = DispatchQueue.apart("futures.ends")
}

extension DispatchGroup {
    /// Returns a future that succeeds the next time this group is empty. It also waits for work that enters the group
    /// before then.
    ///
    /// Cancelling the future stops none of the work. A repetition waits again.
    public func future(file: StaticString = #fileID, line: UInt = #line) -> Future<Void> {
        Future(on: .immediate, file: file, line: line) { completion in
            self.notify(queue: .ends) { Scheduler.unblocked.async { completion(.success(())) } }
            return NilDisposer()
        }
    }

    /// Enters this group, and leaves it when `future` completes or is cancelled.
    ///
    /// The group does not count as a listener: `future` can still be cancelled. A future that never completes keeps the
    /// group from becoming empty.
    public func add<Value>(_ future: Future<Value>) {
        enter()
        future.watch { self.leave() }
    }
}
