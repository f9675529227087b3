// What print, dump and debuggers show of caches: counts, and nothing of the operations themselves.

extension FutureCache: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        Summary(sharing.name.ofSummary, ["kept": sharing.count, "running": sharing.runningCount])
    }
}

extension SingleFlight: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        Summary(sharing.name.ofSummary, ["running": sharing.runningCount])
    }
}
