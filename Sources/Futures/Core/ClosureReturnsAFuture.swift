// ClosureReturnsAFuture: how closures that return a future are rejected where a value is expected.

// Closures that return a future, and closures in direct style, are passed to methods of different names. Where a future
// is expected, an unavailable overload accepts every other result type, and its message says what to write instead.
// Where a value is expected, that does not work: a future is a value too, and the compiler chooses an unavailable
// overload only if no other one fits. So the overload that rejects is available, and more specialized than the one that
// is meant, but it cannot be called. It is isolated to the actor of this file. In asynchronous code, which could call
// the actor's functions, it is `noasync`. Its message appears as a warning about a deprecated function, or as the
// `noasync` error.
//
// In the overloads for synchronous closures, the closure's result type is `any FutureCarrying`, not a type parameter.
// So the solver drops the overload at the first type in the closure that is no future, before it looks at the code
// behind the call: a chain of 5 nested steps takes 71 scopes instead of 2400. For asynchronous closures, a type
// parameter is better (400 scopes instead of 1300). The figures are those of `-solver-scope-threshold`, see
// `.ci/typechecking`.

/// The actor of the functions that reject a closure because it returns a future that nothing would wait for.
///
/// Its functions cannot be called. Their messages say what to write instead.
@globalActor
public actor ClosureReturnsAFuture {
    /// The actor's only instance. No code runs on it.
    public static let shared = ClosureReturnsAFuture()

    @usableFromInline
    static func trap() -> Never { fatalError("This rejects a closure at compile time; it is not to be called.") }
}

/// A type that is a future, or that may contain futures: an optional or an array of futures.
///
/// Closures in direct style do not return such a type: see ``ClosureReturnsAFuture``.
public protocol FutureCarrying<Carried>: Sendable {
    /// The type of the futures' values.
    associatedtype Carried: Sendable
}

extension Future: FutureCarrying {
    /// The type of the value.
    public typealias Carried = Value
}

extension Optional: FutureCarrying where Wrapped: FutureCarrying {
    /// The type of the future's value.
    public typealias Carried = Wrapped.Carried
}

extension Array: FutureCarrying where Element: FutureCarrying {
    /// The type of the futures' values.
    public typealias Carried = Element.Carried
}
