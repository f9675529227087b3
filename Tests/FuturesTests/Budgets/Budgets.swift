// All budgets, family by family.

extension Budget {
    static let inPlace =
        creating + chains + transforming + observing + timing + combining + traversing + repeating + queueing
        + locking + cleaning + sharing + deferring + progressing + callbacks

    /// Counted in the whole process, as other threads run them.
    static let acrossThreads = hopping + dispatching + tasks + queuedTasks + sequences
}
