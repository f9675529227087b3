// All budgets, family by family.

extension Budget {
    /// Operations that stay on one thread.
    static let inPlace =
        creating + chains + transforming + observing + timing + combining + traversing + repeating + queueing
        + locking + cleaning + sharing + deferring + progressing + callbacks

    /// Operations that hop between threads.
    static let acrossThreads = hopping + dispatching + tasks + queuedTasks + sequences
}
