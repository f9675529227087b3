// Schedulers with carried values: where a node keeps the values that its callback is called with.

extension Scheduler {
    /// The scheduler as users know it: queues and threads see this one, and only nodes see one with values.
    var place: Scheduler { base ?? self }

    /// Returns this scheduler with these values instead of those that it has.
    func carrying(_ carried: Carried?) -> Scheduler {
        carried.map { Scheduler(place, carrying: $0) } ?? place
    }

    /// Calls `work` in a job once `delay` has passed, with the values that are captured here.
    @inline(never)
    func enqueueCarrying(_ work: @escaping @Sendable () -> Void, after delay: Duration) -> any Disposable {
        var work: (@Sendable () -> Void)? = work
        Carried.capture(in: &work)
        return enqueue(work!, after: delay)
    }
}
