// counted: counts the futures that have completed.

import Futures

extension Future {
    /// Returns a future of the same result, which is counted when this one has completed.
    ///
    ///     let progress = ProgressCounter(total: 100)
    ///     addresses.mapToFuture(maxConcurrentCount: 8) { load($0).counted(by: progress) }
    ///
    /// Successes and failures count, cancelled futures do not. Each repetition counts: attach it behind a retry.
    ///
    /// - Parameters:
    ///   - counter: The counter.
    ///   - count: How much is added to it.
    public func counted(by counter: ProgressCounter, as count: Int64 = 1) -> Future {
        onResult(on: .immediate) { result in
            if case .failure(let error) = result, error is CancellationError { return }
            counter.add(count)
        }
    }
}
