// ClosureReturnsAFuture: how closures are rejected that return a future where a value is meant.

// A closure that returns a future and one in direct style go to methods of different names. Where a future is expected,
// an unavailable overload for all else says what to write instead. Where a value is expected, a future is one, and the
// compiler takes an unavailable overload only if no other fits: so the overload that rejects is available, more special
// than the one that is meant, and cannot be called. It belongs to an actor of this name, and where calls could go to
// that actor, in asynchronous code, it is `noasync`; its text comes as a warning about a deprecated function, or as
// that error. The result of a synchronous closure is `any FutureCarrying` there, not a type parameter: so the solver
// drops the overload at the closure's first type that is no future, before it looks at what comes behind the call (in a
// chain of 5 nested steps 71 scopes instead of 2400). With asynchronous closures it is the other way round (400 instead
// of 1300). The figures are those of `-solver-scope-threshold`, see `.ci/typechecking`.

/// Where functions are that reject closures: a closure returns a future, which nothing would wait for.
///
/// Its functions cannot be called. What their message names is to be written instead.
@globalActor
public actor ClosureReturnsAFuture {
    /// The actor, on which nothing runs.
    public static let shared = ClosureReturnsAFuture()

    static func trap() -> Never { fatalError("This rejects a closure at compile time; it is not to be called.") }
}

/// What is a future, or may have some in it: an optional or an array of futures.
///
/// Closures in direct style do not return it: see ``ClosureReturnsAFuture``.
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
