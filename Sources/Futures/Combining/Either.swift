// Either: one value or another.

/// One value or another, of different types.
public enum Either<Left, Right> {
    /// The first one.
    case left(Left)
    /// The second one.
    case right(Right)
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
