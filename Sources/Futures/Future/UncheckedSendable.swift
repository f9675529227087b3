// UncheckedSendable: a box for a value that is not Sendable, and that its owner has given up.

/// A value that is not `Sendable` but has to go through futures: what `JSONSerialization` returns, or an `NSObject`.
///
///     Future(on: .background, immediate: { UncheckedSendable(try JSONSerialization.jsonObject(with: data)) })
///         .onValue { show($0.value) }
///
/// The compiler checks that the code that creates the box gives the value up. From then on, you have to ensure that
/// only one thread at a time uses the value, or that no code changes it: every listener of a future gets the same
/// value.
public struct UncheckedSendable<Value>: Sendable {
    // The initializer is safe: `sending` leaves no other code with access to the value
    // (Tests/Rejected/LaterPasses.swift).
    /// The value.
    public nonisolated(unsafe) let value: Value

    /// Creates a box that takes over a value.
    ///
    /// - Parameter value: A value that no other code uses any more.
    public init(_ value: sending Value) { self.value = value }
}
