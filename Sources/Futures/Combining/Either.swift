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
///
/// It is encoded as an object with one key, `left` or `right`.
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

    /// Returns a left value transformed by `left`, or a right value transformed by `right`.
    ///
    /// - Throws: The error that the closure throws, with its type.
    public func map<NewLeft, NewRight, Failure>(
        left: (Left) throws(Failure) -> NewLeft, right: (Right) throws(Failure) -> NewRight
    ) throws(Failure) -> Either<NewLeft, NewRight> {
        switch self {
        case .left(let value): .left(try left(value))
        case .right(let value): .right(try right(value))
        }
    }

    /// Returns a left value transformed by `transform`, or the right value unchanged.
    ///
    /// - Throws: The error that `transform` throws, with its type.
    public func mapLeft<NewLeft, Failure>(
        _ transform: (Left) throws(Failure) -> NewLeft
    ) throws(Failure) -> Either<NewLeft, Right> {
        switch self {
        case .left(let value): .left(try transform(value))
        case .right(let value): .right(value)
        }
    }

    /// Returns a right value transformed by `transform`, or the left value unchanged.
    ///
    /// - Throws: The error that `transform` throws, with its type.
    public func mapRight<NewRight, Failure>(
        _ transform: (Right) throws(Failure) -> NewRight
    ) throws(Failure) -> Either<Left, NewRight> {
        switch self {
        case .left(let value): .left(value)
        case .right(let value): .right(try transform(value))
        }
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

private enum Side: String, CodingKey {
    case left, right
}

extension Either: Encodable where Left: Encodable, Right: Encodable {
    /// Encodes the value under the key `left` or `right`.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The error of the value or of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Side.self)
        switch self {
        case .left(let value): try container.encode(value, forKey: .left)
        case .right(let value): try container.encode(value, forKey: .right)
        }
    }
}

extension Either: Decodable where Left: Decodable, Right: Decodable {
    /// Decodes the value under the key `left` or `right`.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted` if there are both keys or none; the value's own error if it
    ///   cannot be decoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Side.self)
        switch (container.contains(.left), container.contains(.right)) {
        case (true, false): self = .left(try container.decode(Left.self, forKey: .left))
        case (false, true): self = .right(try container.decode(Right.self, forKey: .right))
        case (let hasBoth, _):
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "An Either has one of the keys left and right, not \(hasBoth ? "both" : "none")."
                ))
        }
    }
}
