// Words of other libraries: they do not compile, and say what to write instead.

// Unavailable declarations are in no list of completions, and are looked at only if nothing else has the name. Their
// messages are their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension Future {
    @available(*, unavailable, message: "use flatMap for a closure that returns a future, and map for a value")
    public func then<T>(_ transform: @escaping @Sendable (Value) throws -> T) -> Future<T> { fatalError() }

    @available(*, unavailable, message: "use flatMap for a closure that returns a future, and map for a value")
    public func then<T>(_ transform: @escaping @Sendable (Value) throws -> Future<T>) -> Future<T> { fatalError() }

    @available(*, unavailable, message: "use onError to observe an error, and recover for a value instead of it")
    public func `catch`(_ handler: @escaping @Sendable (any Error) throws -> Void) -> Future { fatalError() }

    @available(*, unavailable, message: "use onValue")
    public func done(_ handler: @escaping @Sendable (Value) throws -> Void) -> Future { fatalError() }

    @available(*, unavailable, message: "use always; for a condition, throw in map")
    public func ensure(_ handler: @escaping @Sendable () -> Void) -> Future { fatalError() }

    @available(*, unavailable, message: "use always")
    public func finally(_ handler: @escaping @Sendable () -> Void) -> Future { fatalError() }

    @available(*, unavailable, message: "use onResult")
    public func whenComplete(_ handler: @escaping @Sendable (Result<Value, any Error>) -> Void) { fatalError() }

    @available(*, unavailable, message: "use onValue")
    public func whenSuccess(_ handler: @escaping @Sendable (Value) -> Void) { fatalError() }

    @available(*, unavailable, message: "use onError")
    public func whenFailure(_ handler: @escaping @Sendable (any Error) -> Void) { fatalError() }

    @available(*, unavailable, message: "use map, whose closure may throw")
    public func flatMapThrowing<T>(_ transform: @escaping @Sendable (Value) throws -> T) -> Future<T> { fatalError() }

    @available(*, unavailable, message: "use recover { _ in value }")
    public func replaceError(with value: Value) -> Future { fatalError() }

    @available(*, unavailable, message: "pass the scheduler to the next operator, as in map(on: scheduler)")
    public func hop(to scheduler: Scheduler) -> Future { fatalError() }

    @available(*, unavailable, message: "pass the scheduler to the next operator, as in map(on: scheduler)")
    public func receive(on scheduler: Scheduler) -> Future { fatalError() }

    @available(*, unavailable, message: "use onResult, or onValue and onError")
    public func sink(
        receiveCompletion: @escaping @Sendable (Result<Void, any Error>) -> Void,
        receiveValue: @escaping @Sendable (Value) -> Void
    ) -> Future { fatalError() }

    @available(*, unavailable, message: "use onValue")
    public func onSuccess(_ handler: @escaping @Sendable (Value) -> Void) -> Future { fatalError() }

    @available(*, unavailable, message: "use promise.complete(with: future)")
    public func cascade(to promise: Promise<Value>?) { fatalError() }

    @available(*, unavailable, message: "use onErrorRepeat(maxRepetitions:), or retry with a RetryPolicy")
    public func retry(_ count: Int) -> Future { fatalError() }

    @available(*, unavailable, message: "use join(a, b)")
    public func and<T>(_ other: Future<T>) -> Future<(Value, T)> { fatalError() }

    @available(*, unavailable, message: "use await future.value, or wait() where there is no async")
    public func get() throws -> Value { fatalError() }

    @available(*, unavailable, message: "use join(futures)")
    public static func all(_ futures: [Future]) -> Future<[Value]> { fatalError() }

    @available(*, unavailable, message: "use select(between: futures)")
    public static func race(_ futures: [Future]) -> Future { fatalError() }

    @available(*, unavailable, message: "use Future(value)")
    public static func value(_ value: Value) -> Future { fatalError() }
}

extension Promise {
    @available(*, unavailable, message: "use succeed(value)")
    public func fulfill(_ value: Value) { fatalError() }

    @available(*, unavailable, message: "use fail(error)")
    public func reject(_ error: any Error) { fatalError() }
}

extension TurnQueue {
    @available(*, unavailable, message: "use cancelAll()")
    public func cancelAllOperations() { fatalError() }

    @available(*, unavailable, message: "use cancelAll(with:), and close(with:) to reject later operations")
    public func abortQueuedOperations(with error: any Error, shouldCloseQueue: Bool = false) { fatalError() }
}

extension TurnGiver {
    @available(*, unavailable, message: "use run, or enqueue for a closure that returns a future")
    public func addOperation(_ operation: @escaping @Sendable () -> Void) { fatalError() }

    @available(*, unavailable, message: "use run, or enqueue for a closure that returns a future")
    public func withLock<T>(_ operation: @escaping @Sendable () async throws -> T) -> Future<T> { fatalError() }

    @available(*, unavailable, message: "use acquire(), a future of a permit")
    public func wait() { fatalError() }

    @available(*, unavailable, message: "use enqueue or run, or acquire(), a future of a permit")
    @discardableResult public func lock() -> Future<Permit> { fatalError() }
}

@available(*, unavailable, message: "write the future itself, and chain flatMap to it")
public func firstly<T>(_ body: () throws -> Future<T>) -> Future<T> { fatalError() }

@available(*, unavailable, message: "use join(futures)")
public func when<T>(fulfilled futures: [Future<T>]) -> Future<[T]> { fatalError() }

@available(*, unavailable, message: "use join(a, b)")
public func when<each T>(fulfilled futures: repeat Future<each T>) -> Future<(repeat each T)> { fatalError() }

@available(*, unavailable, message: "use select(between: futures)")
public func race<T>(_ futures: [Future<T>]) -> Future<T> { fatalError() }

@available(*, unavailable, renamed: "Progression")
public typealias StageProtocol = Progression
