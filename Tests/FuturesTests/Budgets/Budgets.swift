// All budgets, family by family.

extension Budget {
    /// Operations that stay on their thread.
    static let inPlace =
        creating + chains + transforming + observing + timing + combining + traversing + repeating + queueing
        + locking + cleaning + sharing + deferring + progressing + callbacks

    /// Operations that go from thread to thread.
    static let acrossThreads = hopping + dispatching + tasks + queuedTasks + cleaningInTasks + sequences
}
