// Closure: a user's closure of any type, inside of the node.

/// A closure of any type, kept as one that can only be retained and released.
// Unsafe: whoever calls it has to name the type that it was made with; the operator that makes the node and the one
// that calls the closure are the same function. Every closure is a function pointer and a context, whatever it takes.
// The casts are of structs with a field spelled as a function type, not of functions: those would go through the
// most general calling convention, by an allocation each. Held by `PayloadTests`.
@usableFromInline
struct Closure: Sendable {
    @usableFromInline let call: @Sendable () -> Void

    @inlinable
    init<Input, Output>(_ body: @escaping @Sendable (Input) throws -> Output) {
        self = unsafeBitCast(Body(body), to: Closure.self)
    }

    @inlinable
    init(handler: @escaping @Sendable () -> Void) {
        call = handler
    }

    /// No closure.
    @inlinable
    init() {
        call = {}
    }

    /// Whether there is nothing to release.
    var isEmpty: Bool { unsafeBitCast(self, to: (UInt, UInt).self).1 == 0 }

    @inlinable
    func body<Input, Output>(_: Input.Type, _: Output.Type) -> @Sendable (Input) throws -> Output {
        unsafeBitCast(self, to: Body<Input, Output>.self).call
    }
}
