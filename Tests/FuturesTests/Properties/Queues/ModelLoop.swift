// ModelLoop: the immediate and the deferred calls of the model.

/// Calls callbacks immediately, unless futures have been completed from outside: then callbacks come after everything
/// that other threads may need.
final class ModelLoop {
    /// The deferred callbacks; nil if callbacks are called immediately.
    private var deferred: [() -> Void]?
    /// The number of deferred callbacks when the group in progress started.
    private var start = 0

    /// Calls `body`, and then the callbacks that it leads to.
    func urgentFirst(_ body: () -> Void) {
        guard deferred == nil else { return body() }
        deferred = []
        body()
        let callbacks = deferred.take()!
        for callback in callbacks { callback() }
    }

    /// Calls or defers user code.
    func callback(_ body: @escaping () -> Void) {
        if deferred == nil { body() } else { deferred!.append(body) }
    }

    /// Calls `body` after the callbacks of its group.
    func following(_ body: @escaping () -> Void) {
        if let count = deferred?.count, count != start { deferred!.append(body) } else { body() }
    }

    /// Calls `body`, whose effects are those of one job.
    func group(_ body: () -> Void) {
        let outer = start
        start = deferred?.count ?? 0
        body()
        start = outer
    }
}
