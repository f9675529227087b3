// ModelLoop: what the model calls at once, and what it calls behind that.

/// Callbacks are called at once, unless futures have been ended from outside: then they come behind all that other
/// threads may need.
final class ModelLoop {
    /// Callbacks that wait; nil if they need not.
    private var deferred: [() -> Void]?
    /// How many waited when the group in progress began.
    private var start = 0

    /// Calls `body`, and then the callbacks that it leads to.
    func urgentFirst(_ body: () -> Void) {
        guard deferred == nil else { return body() }
        deferred = []
        body()
        let callbacks = deferred.take()!
        for callback in callbacks { callback() }
    }

    /// Code of a user.
    func callback(_ body: @escaping () -> Void) {
        if deferred == nil { body() } else { deferred!.append(body) }
    }

    /// What comes behind the callbacks of its group.
    func following(_ body: @escaping () -> Void) {
        if let count = deferred?.count, count != start { deferred!.append(body) } else { body() }
    }

    /// What one job leads to.
    func group(_ body: () -> Void) {
        let outer = start
        start = deferred?.count ?? 0
        body()
        start = outer
    }
}
