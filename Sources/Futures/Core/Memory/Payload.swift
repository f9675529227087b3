// Payload: storage for a result of any type, inside the node.

/// Storage for a result of any type: a value of up to two words, or a box that holds a larger one; or an error.
///
/// The storage is raw, because a property of a generic type would make the node generic. Unspecialized vtables and
/// deinits instantiate metadata at every call: a map took 340-590 ns instead of 100.
// Unsafe: a value is read as the type with which it was stored, which is the type parameter of the `Future`s around the
// node. Tested by `PayloadTests`, with values that are trivial, counted, small, large, empty and over-aligned.
@usableFromInline
struct Payload {
    @usableFromInline
    typealias Words = (UInt, UInt)

    @usableFromInline
    var words: Words = (0, 0)

    /// The type of the contents, if they have to be destroyed; otherwise nil.
    @usableFromInline
    var type: (any Any.Type)?

    @inlinable
    init() {}

    @inlinable
    static func fits<T>(_ type: T.Type) -> Bool {
        MemoryLayout<T>.size <= MemoryLayout<Words>.size
            && MemoryLayout<T>.alignment <= MemoryLayout<Words>.alignment
    }

    /// Stores a value. The payload must be empty.
    @inlinable
    mutating func store<T: Sendable>(_ value: consuming T) {
        if Self.fits(T.self) {
            write(value)
        } else {
            write(Box(value))
        }
    }

    /// Stores an error. The payload must be empty.
    // A function of its own, because passing an `any Error` to a generic parameter would open it.
    @inlinable
    mutating func store(error: any Error) {
        withUnsafeMutableBytes(of: &words) {
            $0.baseAddress!.assumingMemoryBound(to: (any Error).self).initialize(to: error)
        }
        type = (any Error).self
    }

    @inlinable
    mutating func write<T>(_ value: __owned T) {
        withUnsafeMutableBytes(of: &words) {
            $0.baseAddress!.assumingMemoryBound(to: T.self).initialize(to: value)
        }
        if !_isPOD(T.self) { type = T.self }
    }

    /// Returns a copy of the value, which must have been stored as this type.
    @inlinable
    func value<T: Sendable>(as _: T.Type) -> T {
        Self.fits(T.self) ? read(T.self) : read(Box<T>.self).value
    }

    /// Stores a copy of another payload's contents, made by the value witness of their type. The payload must be empty.
    mutating func store(copyOf other: borrowing Payload) {
        guard let type = other.type else {
            words = other.words
            return
        }
        other.trapIfReleased()
        func initialize<T>(_: T.Type) {
            withUnsafeBytes(of: other.words) { source in
                withUnsafeMutableBytes(of: &words) {
                    $0.baseAddress!.assumingMemoryBound(to: T.self)
                        .initialize(to: source.baseAddress!.assumingMemoryBound(to: T.self).pointee)
                }
            }
        }
        _openExistential(type, do: initialize)
        self.type = type
    }

    /// Marks the contents as released early, by a type that no result has: in debug builds, reading them traps.
    mutating func poison() {
        #if DEBUG || EXPLORING
            type = Payload.self
        #endif
    }

    /// The error. The payload must contain one.
    @inlinable
    var error: any Error { read((any Error).self) }

    @inlinable
    func read<T>(_: T.Type) -> T {
        trapIfReleased()
        return withUnsafeBytes(of: words) { $0.baseAddress!.assumingMemoryBound(to: T.self).pointee }
    }

    @inlinable
    func trapIfReleased() {
        #if DEBUG || EXPLORING
            if let type, type == Payload.self {
                fatalError("A result was read that was released. This is a fault of the library: please report it.")
            }
        #endif
    }

    /// Moves the contents out.
    mutating func take() -> Payload {
        defer { self = Payload() }
        return self
    }

    /// Releases the contents, by the value witness of their type.
    mutating func release() {
        if let type = type.take() { DeferredReleases.here.release(words, as: type) }
    }
}

/// A value that is too large for a node.
@usableFromInline
final class Box<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: consuming Value) { self.value = value }
}
