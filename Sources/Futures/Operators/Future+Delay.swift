// delay: results that come later.

extension Future {
    /// A future with the same result, `delay` after it came; at once, if there is no delay or a negative one.
    ///
    /// The time is the current scheduler's, and the result comes on it. A cancel stops the timer.
    @inlinable
    public func delay(by delay: Duration?) -> Future {
        self.delay(by: delay, on: .current)
    }

    /// The same, with the time of `scheduler`, and the result coming on it if there is a delay.
    @inlinable
    public func delay(by delay: Duration?, on scheduler: Scheduler) -> Future {
        guard let delay, delay > .zero else { return self }
        return step(on: .immediate, .results) { result in
            .future(.delayed(result, by: delay, on: scheduler))
        }
    }

    @inlinable
    static func delayed(
        _ result: Result<Value, any Error>, by delay: Duration, on scheduler: Scheduler
    ) -> Future {
        let node = Node.operation(on: .immediate) { node in
            scheduler.async(after: delay) { node.complete(result) }
        }
        node.start()
        return Future(node: node)
    }
}
