// Either: one of two values of different types.

/// One of two values of different types.
///
///     let first = select(cached, or: fetched)     // Future<Either<Page, Data>>
///     first.map { winner in
///         switch winner {
///         case .left(let page): page
///         case .right(let data): try Page(data)
///         }
///     }
public enum Either<Left, Right> {
    /// The first of the two types.
    case left(Left)
    /// The second of the two types.
    case right(Right)
}

extension Either {
    /// The left value, or nil if this is a right one.
    public var left: Left? {
        if case .left(let value) = self { value } else { nil }
    }

    /// The right value, or nil if this is a left one.
    public var right: Right? {
        if case .right(let value) = self { value } else { nil }
    }
}

extension Either where Left == Right {
    /// The value, whichever side it is on.
    public var any: Left {
        switch self {
        case .left(let value), .right(let value): value
        }
    }
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
