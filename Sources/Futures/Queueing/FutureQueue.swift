// FutureQueue: operations one after the other, with exclusive use of a resource.

/// Runs operations one after the other, or so many at a time, in the order in which they came.
///
///     let queue = FutureQueue(resource: file)
///     queue.enqueue { file in file.append(line) }     // Future<Int>
///
/// An operation has begun when its closure is called, and is over when the future that it returned completes. Whoever
/// listens to that hears of it before the next operation begins. An operation that is cancelled while it waits never
/// begins; a repetition of its future enqueues it again. Enqueue, finish and cancel take the same time however many
/// wait. Operations go on, and those that wait begin, also when nobody holds the queue any more.
///
/// An operation must not wait for one that is behind it in the same queue: both would wait for ever.
public final class FutureQueue<Resource: Sendable>: Sendable {
    @usableFromInline let station: Station<Resource>

    /// Makes a queue that hands `resource` to at most `maxConcurrentCount` operations at a time.
    ///
    /// - Precondition: `maxConcurrentCount` is at least 1.
    public init(resource: Resource, maxConcurrentCount: Int = 1) {
        guard maxConcurrentCount >= 1 else {
            fatalError("maxConcurrentCount must be at least 1, or nothing could ever begin.")
        }
        station = Station(resource, WaitingLine(maxConcurrentCount: maxConcurrentCount))
    }

    /// Whether no operation waits or runs.
    public var isEmpty: Bool { station.line.isEmpty }

    /// Adds an operation, which is called with the resource when its turn has come.
    ///
    /// The future has the result of the one that `operation` returns; a throw is a failure.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = place(operation)
        return enqueue(on: scheduler, operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        station.enqueue(on: scheduler, operation)
    }
}

extension FutureQueue<Void> {
    /// Makes a queue without a resource.
    ///
    /// - Precondition: `maxConcurrentCount` is at least 1.
    public convenience init(maxConcurrentCount: Int = 1) {
        self.init(resource: (), maxConcurrentCount: maxConcurrentCount)
    }

    /// Adds an operation, which is called when its turn has come.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = place(operation)
        return enqueue(on: scheduler, operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        station.line.enqueue(on: scheduler, operation)
    }
}
