// Closure: a user's closure of any type, stored in a node, and the shapes of those of the core.

/// A closure of any type, which can be retained and released without knowing the type.
///
///     Closure(Following(transform))                          stores a closure, in the operator that makes the node
///     closure.load(as: Following<Value, T>.self).call(value)  calls it, in the node's operation
@usableFromInline
struct Closure: Sendable {
    @usableFromInline let call: @Sendable () -> Void

    /// Creates a closure that does nothing.
    @inlinable
    init() { call = {} }

    // Unsafe: the cast is between structs of one closure each, and every closure is a function pointer and a context,
    // whatever its type. Retaining and releasing it uses only the context. Tested by `PayloadTests`.
    @inlinable
    init<Shape: ClosureShape>(_ shape: Shape) {
        self = unsafeBitCast(shape, to: Closure.self)
    }

    /// Returns the stored closure, which must have been stored in this shape.
    // Unsafe: a call with another shape would pass other registers. The closure is stored and loaded next to each
    // other, with the same type parameters. Tested by `PayloadTests`, which goes through each shape.
    @inlinable
    func load<Shape: ClosureShape>(as _: Shape.Type) -> Shape {
        unsafeBitCast(self, to: Shape.self)
    }
}

/// A struct whose only stored property is a closure, its `call`.
///
/// There is one shape for each calling convention, not one for each type. In a property or an associated type whose
/// type is a type parameter, a closure would be stored in the most general convention, and each conversion from or to
/// that allocates a closure. A result of type `Future<T>` or `Void`, and a parameter of type `any Error`, are passed by
/// another convention than those whose type is a type parameter. So each of these has a shape of its own.
@usableFromInline
protocol ClosureShape {}

/// A shape whose closures may be isolated to an actor.
@usableFromInline
protocol IsolatedClosureShape: ClosureShape {
    /// An enum whose only case has the closure with its isolation.
    associatedtype Raw
}

extension IsolatedClosureShape {
    /// Creates the closure without its isolation, to be called only on the scheduler of that isolation.
    // An isolated closure can be called synchronously only where the compiler sees the actor.
    // Unsafe: both closures are a function pointer and a context and are called alike. `@isolated(any)` only means that
    // the context starts with the actor. Tested by `IsolationTests`, which calls each shape on an actor.
    @inlinable
    init(_ raw: Raw) {
        self = unsafeBitCast(raw, to: Self.self)
    }
}

/// Takes nothing, returns nothing and does not throw.
extension Closure: IsolatedClosureShape {
    @usableFromInline enum Raw { case isolated(@Sendable @isolated(any) () -> Void) }
    @inlinable init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}

/// Takes the root's node and returns what stops the operation.
struct Starting: ClosureShape {
    let call: @Sendable (Node) throws -> any Disposable
}

/// Takes a step that was attached, and starts what accompanies it; or whose time limit has passed.
struct Accompanying: ClosureShape {
    let call: @Sendable (Node, NodeEvent) -> Void
}

/// Takes the result of a node that is listened to.
struct Listening: ClosureShape {
    let call: @Sendable (Node.Arrival) -> Void
}

/// Returns the combination that is the recipe of a node.
struct Combining: ClosureShape {
    let call: @Sendable () -> Combination
}
