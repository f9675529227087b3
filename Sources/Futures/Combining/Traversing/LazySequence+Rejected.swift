// mapToFuture and the like: reject lazy sequences of the standard library, at compile time.

// Their messages are their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The actor of the functions that reject a lazy sequence.
///
/// A traversal may iterate on any thread, and again when it is repeated. A lazy sequence calls closures that are not
/// `Sendable`, so it is not `Sendable` either. Without these functions the compiler would take the eager `map` instead,
/// even of an endless sequence. They cannot be called, because they are isolated to this actor, and their message appears
/// as a warning about a deprecated function, or as the `noasync` error. An unavailable function is not enough: the
/// compiler chooses one only if no other fits.
@globalActor
public actor LazySequenceIsNotSendable {
    /// The actor's only instance. No code runs on it.
    public static let shared = LazySequenceIsNotSendable()
}

extension LazySequenceProtocol where Element: Sendable {
    @LazySequenceIsNotSendable
    @available(*, deprecated, message: "transform the elements in the closure instead, or copy them: Array(…)")
    @available(*, noasync, message: "transform the elements in the closure instead, or copy them: Array(…)")
    public func mapToFuture<T: Sendable>(
        maxConcurrentCount: Int = 1, cancelNonCompleted: Bool = true,
        _ transform: @escaping @Sendable (Element) throws -> Future<T>
    ) -> Future<[T]> { fatalError() }

    @LazySequenceIsNotSendable
    @available(*, deprecated, message: "transform the elements in the closure instead, or copy them: Array(…)")
    @available(*, noasync, message: "transform the elements in the closure instead, or copy them: Array(…)")
    public func mapToFutureResults<T: Sendable>(
        maxConcurrentCount: Int = 1, _ transform: @escaping @Sendable (Element) throws -> Future<T>
    ) -> Future<[Result<T, any Error>]> { fatalError() }

    @LazySequenceIsNotSendable
    @available(*, deprecated, message: "transform the elements in the closure instead, or copy them: Array(…)")
    @available(*, noasync, message: "transform the elements in the closure instead, or copy them: Array(…)")
    @discardableResult
    public func forEachToFuture<T: Sendable>(
        maxConcurrentCount: Int = 1, _ transform: @escaping @Sendable (Element) throws -> Future<T>,
        onResult: @escaping @Sendable ((Element, Result<T, any Error>)) throws -> Void
    ) -> Future<Void> { fatalError() }

    @LazySequenceIsNotSendable
    @available(*, deprecated, message: "transform the elements in the closure instead, or copy them: Array(…)")
    @available(*, noasync, message: "transform the elements in the closure instead, or copy them: Array(…)")
    public func reduceToFuture<T: Sendable>(
        _ initial: T, _ transform: @escaping @Sendable ((T, Element)) throws -> Future<T>
    ) -> Future<T> { fatalError() }

    @LazySequenceIsNotSendable
    @available(*, deprecated, message: "transform the elements in the closure instead, or copy them: Array(…)")
    @available(*, noasync, message: "transform the elements in the closure instead, or copy them: Array(…)")
    public func runEach<T: Sendable>(
        maxConcurrentCount: Int = 1, cancelNonCompleted: Bool = true,
        _ operation: @escaping @Sendable (Element) async throws -> T
    ) -> Future<[T]> { fatalError() }
}
