// Foundation's Progress: shows a counter, and cancels a future.

import Foundation
import Futures

extension ProgressCounter {
    /// Shows the numbers of this counter as a Foundation `Progress`, until the returned object is disposed or released.
    ///
    /// The total of `progress` is -1, which means indeterminate, while that of the counter is not known. The progress
    /// is changed on the threads that change the counter, by one of them at a time.
    ///
    /// - Parameter progress: The progress, which nothing else may change.
    public func connect(to progress: Progress) -> Disposer {
        let (isChanging, needsChange) = (Locked(false), Locked(false))
        let change: @Sendable () -> Void = { [weak self] in
            // Observers of the progress run in here, so no lock is held. A thread that comes meanwhile leaves its
            // change.
            needsChange.withLock { $0 = true }
            while needsChange.withLock({ $0 }),
                !isChanging.withLock({ isChanging in
                    defer { isChanging = true }
                    return isChanging
                })
            {
                needsChange.withLock { $0 = false }
                if let numbers = self?.snapshot {
                    let total = numbers.total ?? -1
                    if progress.totalUnitCount != total { progress.totalUnitCount = total }
                    progress.completedUnitCount = numbers.completed
                }
                isChanging.withLock { $0 = false }
            }
        }
        let observation = observe { change() }
        change()
        return observation
    }
}

extension Future {
    /// Returns a future of the same result, which fails with a `CancellationError` when `progress` is cancelled. This
    /// future is then cancelled, unless it has other listeners.
    ///
    /// Any number of futures may be cancelled by one progress, which keeps nothing of those that have completed. It is
    /// not retained: a progress that is released cancels nothing.
    ///
    /// - Parameters:
    ///   - progress: The progress. Its cancellation handler is replaced by one that calls the previous one too.
    ///     A handler that you set later has to do the same.
    public func cancelled(by progress: Progress, file: StaticString = #fileID, line: UInt = #line) -> Future {
        let signal = ProgressCancellation.of(progress, file, line).signal
        if progress.isCancelled { signal.promise.succeed() }
        return abort(forFutures: [signal.promise.future]).onResult(on: .immediate) { _ in
            // Retained until then: otherwise the signal would fail when the progress is released.
            withExtendedLifetime(signal) {}
        }
    }
}
