// inferred: the scheduler of a closure that is passed without `on:`.

extension Scheduler {
    /// Returns the scheduler of the actor that a closure is isolated to, or the current scheduler if there is none.
    @usableFromInline
    static func inferred(from isolation: (any Actor)?) -> Scheduler {
        // `if let`: reading through an optional chain crashed the compiler (6.3.1).
        if let isolation {
            if isolation === MainActor.shared { return .main }
            return ActorBackend.scheduler(of: isolation)
        }
        return .current
    }
}
