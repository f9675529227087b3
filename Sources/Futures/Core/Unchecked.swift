// Unchecked: values that are not Sendable, handed on by who gives them up.

/// A value that is not `Sendable` but has to go through futures: what `JSONSerialization` returns, or an `NSObject`.
///
///     Future(on: .background, immediate: { Unchecked(try JSONSerialization.jsonObject(with: data)) })
///         .onValue { show($0.value) }
///
/// The compiler checks that whoever makes it gives the value up. That afterwards only one thread at a time uses it, or
/// nobody changes it any more, is for you to see to: every listener of a future gets the same value.
public struct Unchecked<Value>: Sendable {
    // Safe as far as the initialiser goes: `sending` leaves nobody else with access (Tests/Rejected/BoxedObject.swift).
    /// The value.
    public nonisolated(unsafe) let value: Value

    /// Takes over a value.
    public init(_ value: sending Value) { self.value = value }
}
